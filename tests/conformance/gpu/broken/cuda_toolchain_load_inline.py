# expect: compilation_failure toolchain
# platform: nvidia-cuda
# problem: row_sum
# evidence: z
# load_inline with an error in the kernel.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = """
#include <torch/extension.h>
__global__ void twice(const float* x, float* y, int n) { y[threadIdx.x] = 2 * z[threadIdx.x]; }
torch::Tensor run(torch::Tensor x) { return x; }
"""
library = load_inline("twice", "torch::Tensor run(torch::Tensor x);", CUDA, functions=["run"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
