import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS = 256
WARPS = THREADS // 32
VECTOR = 4  # float32 elements in one 128-bit access


@cute.jit
def block_sum(value: cutlass.Float32, partial: cute.Tensor) -> cutlass.Float32:
    value = cute.arch.warp_reduction(value, operator.add)
    lane, warp_of_thread = cute.arch.lane_idx(), cute.arch.warp_idx()  # a shuffle: never in a branch of some lanes only
    cute.arch.sync_threads()  # `partial` may still be read from the sum before
    if lane == 0:
        partial[warp_of_thread] = value
    cute.arch.sync_threads()
    total = cutlass.Float32(0.0)
    for warp in cutlass.range_constexpr(WARPS):  # the same order in every thread
        total += partial[warp]
    return total


@cute.kernel
def add_norm_kernel(
    x: cute.Tensor, residual: cute.Tensor, weight: cute.Tensor, shift: cute.Tensor, out: cute.Tensor,
    eps: cutlass.Float32, features: cutlass.Constexpr,
):
    # One block per row. A thread owns every THREADS-th vector of the row and keeps its values in registers.
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    row = cutlass.Int64(block)  # rows * features may pass 2**31
    vectors = features // VECTOR
    per_thread = cute.ceil_div(vectors, THREADS)
    partial = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(WARPS))
    kept = cute.make_rmem_tensor((VECTOR, per_thread), cutlass.Float32)
    other = cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
    kept.fill(0.0)

    total = cutlass.Float32(0.0)
    for k in cutlass.range_constexpr(per_thread):
        place = thread + k * THREADS
        if place < vectors:
            cute.autovec_copy(cute.local_tile(x[row, None], (VECTOR,), (place,)), kept[None, k])
            cute.autovec_copy(cute.local_tile(residual[row, None], (VECTOR,), (place,)), other)
            for i in cutlass.range_constexpr(VECTOR):
                kept[i, k] += other[i]
                total += kept[i, k]
    mean = block_sum(total, partial) / features

    squares = cutlass.Float32(0.0)
    for k in cutlass.range_constexpr(per_thread):
        if thread + k * THREADS < vectors:
            for i in cutlass.range_constexpr(VECTOR):
                squares += (kept[i, k] - mean) * (kept[i, k] - mean)
    scale = 1.0 / cute.math.sqrt(block_sum(squares, partial) / features + eps)

    gain = cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
    for k in cutlass.range_constexpr(per_thread):
        place = thread + k * THREADS
        if place < vectors:
            cute.autovec_copy(cute.local_tile(weight, (VECTOR,), (place,)), gain)
            cute.autovec_copy(cute.local_tile(shift, (VECTOR,), (place,)), other)
            for i in cutlass.range_constexpr(VECTOR):
                kept[i, k] = (kept[i, k] - mean) * scale * gain[i] + other[i]
            cute.autovec_copy(kept[None, k], cute.local_tile(out[row, None], (VECTOR,), (place,)))


@cute.jit
def add_norm(
    x: cute.Pointer, residual: cute.Pointer, weight: cute.Pointer, shift: cute.Pointer, out: cute.Pointer,
    rows: cutlass.Int32, eps: cutlass.Float32, stream: cuda.CUstream, features: cutlass.Constexpr,
):
    matrix = cute.make_layout((rows, features), stride=(features, 1))  # constants: rows are known to be aligned
    vector = cute.make_layout(features)
    add_norm_kernel(
        cute.make_tensor(x, matrix), cute.make_tensor(residual, matrix), cute.make_tensor(weight, vector),
        cute.make_tensor(shift, vector), cute.make_tensor(out, matrix), eps, features,
    ).launch(grid=(rows, 1, 1), block=(THREADS, 1, 1), stream=stream)


def pointer(tensor: torch.Tensor):
    return make_ptr(cutlass.Float32, tensor.data_ptr(), cute.AddressSpace.gmem, assumed_align=16)


def aligned(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.contiguous()
    return tensor if tensor.data_ptr() % 16 == 0 else tensor.clone()


class NewModel(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.compiled = None  # compiled at the first call: a second or two, then microseconds

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        features = x.shape[-1]
        if features % VECTOR:
            raise ValueError("the kernel needs rows of a multiple of 4 elements")
        tensors = [aligned(t) for t in (x, residual, self.norm.weight, self.norm.bias)]
        out = torch.empty_like(tensors[0])
        stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
        arguments = [*(pointer(t) for t in (*tensors, out)), x.numel() // features, self.norm.eps, stream]
        if self.compiled is None:
            self.compiled = cute.compile(add_norm, *arguments, features)  # `features` is baked in
        self.compiled(*arguments)
        return out
