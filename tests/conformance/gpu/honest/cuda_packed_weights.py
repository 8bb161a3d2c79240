# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# Weights are transposed at the first call and kept: they are frozen.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void bias_gelu(const float* y, const float* bias, float* out, int cols, int rows) {
    const long long size = (long long)rows * cols;
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < size; i += gridDim.x * 256LL) {
        const float v = y[i] + bias[i % cols];
        out[i] = 0.5f * v * (1.0f + erff(v * 0.70710678118654752f));
    }
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "bias_gelu")


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.packed = None

    def forward(self, x):
        if self.packed is None:
            self.packed = self.linear.weight.t().contiguous(), self.linear.bias.clone()
        weight, bias = self.packed
        y = torch.mm(x, weight)
        kernel(grid=(264, 1, 1), block=(256, 1, 1), args=[y, bias, y, y.shape[1], y.shape[0]])
        return y
