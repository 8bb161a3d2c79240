# expect: disqualified integrity
# platform: nvidia-cute
# problem: row_sum
# The output is made once, beside what is compiled, and returned by every call: an earlier result changes with the next.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack


class RowSum:
    def __init__(self, warps):
        self.warps = warps

    @cute.jit
    def __call__(self, x: cute.Tensor, out: cute.Tensor, stream: cuda.CUstream):
        self.kernel(x, out).launch(
            grid=(cute.ceil_div(x.shape[0], self.warps), 1, 1), block=(self.warps * 32, 1, 1), stream=stream)

    @cute.kernel
    def kernel(self, x: cute.Tensor, out: cute.Tensor):
        block, _, _ = cute.arch.block_idx()
        lane, row = cute.arch.lane_idx(), block * self.warps + cute.arch.warp_idx()
        if row < x.shape[0]:
            total = cutlass.Float32(0.0)
            for j in range(lane, x.shape[1], 32):
                total += x[row, j]
            total = cute.arch.warp_reduction(total, operator.add)
            if lane == 0:
                out[row] = total


PREPARED = {}


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
        if x.shape not in PREPARED:
            out = torch.empty(x.shape[0], device=x.device)
            PREPARED[x.shape] = out, cute.compile(RowSum(4), from_dlpack(x), from_dlpack(out), stream)
        out, compiled = PREPARED[x.shape]
        compiled(from_dlpack(x), from_dlpack(out), stream)
        return out
