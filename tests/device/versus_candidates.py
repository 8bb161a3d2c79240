"""Candidates for the comparison with another evaluator: correct, all different, in KernelBench's form (`ModelNew`)."""

LOAD_INLINE = r'''
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CUDA = r"""
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

constexpr int THREADS = @THREADS@;

__global__ void row_norm(const float* x, const float* weight, float* out, int cols, float eps) {
    __shared__ float partial[THREADS / 32];
    const long long at = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) sum += x[at + j] * x[at + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < THREADS / 32; ++warp) sum += partial[warp];
    const float scale = 1.0f / sqrtf(sum / cols + eps);
    for (int j = threadIdx.x; j < cols; j += THREADS) out[at + j] = x[at + j] * scale * weight[j];
}

torch::Tensor row_norm_cuda(torch::Tensor x, torch::Tensor weight, double eps) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    row_norm<<<x.size(0), THREADS, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<float>(), weight.data_ptr<float>(), out.data_ptr<float>(), x.size(1), (float)eps);
    return out;
}
"""
library = load_inline(name="row_norm_@THREADS@", cpp_sources="torch::Tensor row_norm_cuda(torch::Tensor, torch::Tensor, double);",
                      cuda_sources=CUDA, functions=["row_norm_cuda"], verbose=False)


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        return library.row_norm_cuda(x, self.weight, self.eps)
'''

NVRTC = r'''
import torch
import torch.nn as nn

SOURCE = r"""
constexpr int THREADS = @THREADS@;

extern "C" __global__ void row_norm(const float* x, const float* weight, float* out, int cols, double eps) {
    __shared__ float partial[THREADS / 32];
    const long long at = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += THREADS) sum += x[at + j] * x[at + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < THREADS / 32; ++warp) sum += partial[warp];
    const float scale = 1.0f / sqrtf(sum / cols + (float)eps);
    for (int j = threadIdx.x; j < cols; j += THREADS) out[at + j] = x[at + j] * scale * weight[j];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_norm")


class ModelNew(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        kernel(grid=(x.shape[0], 1, 1), block=(@THREADS@, 1, 1), args=[x, self.weight, out, x.shape[1], float(self.eps)])
        return out
'''

TRITON = r'''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_gelu(y_ptr, bias_ptr, out_ptr, cols, size, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + i, mask=i < size, other=0.0) + tl.load(bias_ptr + i % cols, mask=i < size, other=0.0)
    tl.store(out_ptr + i, 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476)), mask=i < size)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = torch.mm(x, self.linear.weight.t())
        out = torch.empty_like(y)
        bias_gelu[(triton.cdiv(y.numel(), @BLOCK@),)](
            y, self.linear.bias, out, y.shape[1], y.numel(), BLOCK=@BLOCK@, num_warps=@WARPS@)
        return out
'''

# kind: (platform, KernelBench's backend, problem, text, values by name for each variant)
KINDS = {
    "load_inline": ("nvidia-cuda", "cuda", "row_norm", LOAD_INLINE,
                    [{"THREADS": threads} for threads in (64, 96, 128, 192, 256, 384, 512, 1024)]),
    "triton": ("nvidia-triton", "triton", "linear_gelu", TRITON,
               [{"BLOCK": block, "WARPS": warps} for block in (256, 512, 1024, 2048) for warps in (1, 2, 4, 8)]),
    "nvrtc": ("nvidia-cuda", "cuda", "row_norm", NVRTC,
              [{"THREADS": 64 * (1 + index)} for index in range(16)]),
}


def write(kind, folder):
    """Paths of the kind's candidates, written to the folder."""
    _, _, _, text, variants = KINDS[kind]
    paths = []
    for number, values in enumerate(variants):
        filled = text
        for name, value in values.items():
            filled = filled.replace(f"@{name}@", str(value))
        paths.append(folder / f"{kind}_{number:02}.py")
        paths[-1].write_text(filled.lstrip("\n"), encoding="utf-8")
    return paths
