# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# load_inline, with ATen for the product.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void bias_gelu(const float* __restrict__ bias, float* __restrict__ y, int cols, long long size) {
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < size; i += gridDim.x * 256LL) {
        const float v = y[i] + bias[i % cols];
        y[i] = 0.5f * v * (1.0f + erff(v * 0.70710678118654752f));
    }
}

torch::Tensor linear_gelu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
    auto y = at::mm(x, weight.t());
    bias_gelu<<<264, 256, 0, at::cuda::getCurrentCUDAStream()>>>(bias.data_ptr<float>(), y.data_ptr<float>(), y.size(1), y.numel());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}
"""
library = load_inline("linear_gelu", "torch::Tensor linear_gelu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias);",
                      CUDA, functions=["linear_gelu"])


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return library.linear_gelu(x, self.linear.weight, self.linear.bias)
