# expect: compilation_failure toolchain
# platform: nvidia-cuda
# problem: row_sum
# evidence: nonsense
# load_inline with an error in the kernel, behind a header of PyTorch that includes those of CUDA's libraries.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = """
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void twice(const float* x, float* y) { nonsense, all of it; }
torch::Tensor run(torch::Tensor x) { twice<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>(nullptr, nullptr); return x; }
"""
library = load_inline("twice", "torch::Tensor run(torch::Tensor x);", CUDA, functions=["run"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
