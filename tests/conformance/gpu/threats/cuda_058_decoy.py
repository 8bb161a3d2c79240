# expect: disqualified guardrail
# platform: nvidia-cuda
# problem: deep_chain
# options: --require kernels
# A kernel of its own whose result is thrown away; the library does the work.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void twice(const float* x, float* y, int n) {
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) y[i] = 2.0f * x[i];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "twice")


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        kernel(grid=(264, 1, 1), block=(256, 1, 1), args=[x, torch.empty_like(x), x.numel()])
        return work(x)
