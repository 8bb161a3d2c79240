# expect: correct
# platform: nvidia-cute
# problem: row_norm
# One block per row: 128-bit loads, sums of warps through shared memory, as in the guide.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS, VECTOR = 128, 4


@cute.kernel
def row_norm(x: cute.Tensor, weight: cute.Tensor, out: cute.Tensor, eps: cutlass.Float32, cols: cutlass.Constexpr):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    row, rounds = cutlass.Int64(block), cute.ceil_div(cols // VECTOR, THREADS)
    partial = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(THREADS // 32))
    kept = cute.make_rmem_tensor((VECTOR, rounds), cutlass.Float32)
    gain = cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
    total = cutlass.Float32(0.0)
    for k in cutlass.range_constexpr(rounds):
        place = thread + k * THREADS
        if place < cols // VECTOR:
            cute.autovec_copy(cute.local_tile(x[row, None], (VECTOR,), (place,)), kept[None, k])
            for i in cutlass.range_constexpr(VECTOR):
                total += kept[i, k] * kept[i, k]
    total = cute.arch.warp_reduction(total, operator.add)
    lane, own = cute.arch.lane_idx(), cute.arch.warp_idx()
    if lane == 0:
        partial[own] = total
    cute.arch.sync_threads()
    total = cutlass.Float32(0.0)
    for warp in cutlass.range_constexpr(THREADS // 32):
        total += partial[warp]
    scale = 1.0 / cute.math.sqrt(total / cols + eps)
    for k in cutlass.range_constexpr(rounds):
        place = thread + k * THREADS
        if place < cols // VECTOR:
            cute.autovec_copy(cute.local_tile(weight, (VECTOR,), (place,)), gain)
            for i in cutlass.range_constexpr(VECTOR):
                kept[i, k] = kept[i, k] * scale * gain[i]
            cute.autovec_copy(kept[None, k], cute.local_tile(out[row, None], (VECTOR,), (place,)))


@cute.jit
def launch(x: cute.Pointer, weight: cute.Pointer, out: cute.Pointer, rows: cutlass.Int32, eps: cutlass.Float32,
           stream: cuda.CUstream, cols: cutlass.Constexpr):
    matrix = cute.make_layout((rows, cols), stride=(cols, 1))
    row_norm(cute.make_tensor(x, matrix), cute.make_tensor(weight, cute.make_layout(cols)), cute.make_tensor(out, matrix),
             eps, cols).launch(grid=(rows, 1, 1), block=(THREADS, 1, 1), stream=stream)


def pointer(tensor):
    return make_ptr(cutlass.Float32, tensor.data_ptr(), cute.AddressSpace.gmem, assumed_align=16)


def aligned(tensor):
    tensor = tensor.contiguous()
    return tensor if tensor.data_ptr() % 16 == 0 else tensor.clone()


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.compiled = None

    def forward(self, x):
        x, weight = aligned(x), aligned(self.weight)
        out = torch.empty_like(x)
        stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
        arguments = [pointer(x), pointer(weight), pointer(out), x.shape[0], self.eps, stream]
        if self.compiled is None:
            self.compiled = cute.compile(launch, *arguments, x.shape[1])
        self.compiled(*arguments)
        return out
