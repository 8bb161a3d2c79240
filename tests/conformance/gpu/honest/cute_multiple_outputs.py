# expect: correct
# platform: nvidia-cute
# problem: two_outputs
# Two outputs, one of integers, from one kernel: a warp per row, exchanged by shuffles.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

WARPS = 4


@cute.kernel
def softmax_argmax(x: cute.Tensor, out: cute.Tensor, where: cute.Tensor, rows: cutlass.Int32, cols: cutlass.Int32):
    block, _, _ = cute.arch.block_idx()
    lane = cute.arch.lane_idx()
    row = cutlass.Int64(block) * WARPS + cute.arch.warp_idx()
    if row < rows:  # the same for a whole warp
        most, place = -cutlass.Float32.inf, cutlass.Int32(0x7FFFFFFF)
        for j in range(lane, cols, 32):
            v = x[row, j]
            if v > most:  # of equal values the first one stays
                most, place = v, j
        for k in cutlass.range_constexpr(5):
            v = cute.arch.shuffle_sync_bfly(most, offset=16 >> k)
            j = cute.arch.shuffle_sync_bfly(place, offset=16 >> k)
            if v > most or (v == most and j < place):
                most, place = v, j
        total = cutlass.Float32(0.0)
        for j in range(lane, cols, 32):
            total += cute.math.exp(x[row, j] - most)
        total = cute.arch.warp_reduction(total, operator.add)
        for j in range(lane, cols, 32):
            out[row, j] = cute.math.exp(x[row, j] - most) / total
        if lane == 0:
            where[row] = cutlass.Int64(place)


@cute.jit
def launch(x: cute.Pointer, out: cute.Pointer, where: cute.Pointer, rows: cutlass.Int32, cols: cutlass.Int32, stream: cuda.CUstream):
    matrix = cute.make_layout((rows, cols), stride=(cols, 1))
    softmax_argmax(cute.make_tensor(x, matrix), cute.make_tensor(out, matrix), cute.make_tensor(where, cute.make_layout(rows)),
                   rows, cols).launch(grid=(cute.ceil_div(rows, WARPS), 1, 1), block=(WARPS * 32, 1, 1), stream=stream)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = None

    def forward(self, x):
        x = x.contiguous()
        out, where = torch.empty_like(x), torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        pointers = [make_ptr(dtype, tensor.data_ptr(), cute.AddressSpace.gmem)
                    for dtype, tensor in ((cutlass.Float32, x), (cutlass.Float32, out), (cutlass.Int64, where))]
        arguments = [*pointers, *x.shape, cuda.CUstream(torch.cuda.current_stream().cuda_stream)]
        if self.compiled is None:
            self.compiled = cute.compile(launch, *arguments)
        self.compiled(*arguments)
        return out, where
