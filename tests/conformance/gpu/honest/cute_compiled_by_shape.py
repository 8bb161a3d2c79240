# expect: correct
# platform: nvidia-cute
# problem: tiny_norm
# Tensors by from_dlpack, their shapes baked in; what is compiled is kept by shape.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack

WARPS = 4


@cute.kernel
def norm_gelu(x: cute.Tensor, weight: cute.Tensor, bias: cute.Tensor, out: cute.Tensor, eps: cutlass.Float32):
    # A warp per row; a lane keeps every 32nd value of it.
    rows, cols = x.shape
    block, _, _ = cute.arch.block_idx()
    lane = cute.arch.lane_idx()
    row = block * WARPS + cute.arch.warp_idx()
    kept = cute.make_rmem_tensor((cute.ceil_div(cols, 32),), cutlass.Float32)
    if row < rows:
        total, squares = cutlass.Float32(0.0), cutlass.Float32(0.0)
        for k in cutlass.range_constexpr(cute.size(kept)):
            kept[k] = 0.0
            if lane + 32 * k < cols:
                kept[k] = x[row, lane + 32 * k]
            total += kept[k]
        mean = cute.arch.warp_reduction(total, operator.add) / cols
        for k in cutlass.range_constexpr(cute.size(kept)):
            if lane + 32 * k < cols:
                squares += (kept[k] - mean) * (kept[k] - mean)
        scale = 1.0 / cute.math.sqrt(cute.arch.warp_reduction(squares, operator.add) / cols + eps)
        for k in cutlass.range_constexpr(cute.size(kept)):
            if lane + 32 * k < cols:
                y = (kept[k] - mean) * scale * weight[lane + 32 * k] + bias[lane + 32 * k]
                out[row, lane + 32 * k] = 0.5 * y * (1.0 + cute.math.erf(y * 0.7071067811865476))


@cute.jit
def launch(x: cute.Tensor, weight: cute.Tensor, bias: cute.Tensor, out: cute.Tensor, eps: cutlass.Float32, stream: cuda.CUstream):
    norm_gelu(x, weight, bias, out, eps).launch(
        grid=(cute.ceil_div(x.shape[0], WARPS), 1, 1), block=(WARPS * 32, 1, 1), stream=stream)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.compiled = {}

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        # A parameter wants its gradient, which DLPack refuses.
        tensors = [from_dlpack(t.detach()) for t in (x, self.norm.weight, self.norm.bias, out)]
        arguments = [*tensors, self.norm.eps, cuda.CUstream(torch.cuda.current_stream().cuda_stream)]
        if x.shape not in self.compiled:
            self.compiled[x.shape] = cute.compile(launch, *arguments)
        self.compiled[x.shape](*arguments)
        return out
