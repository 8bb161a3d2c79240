# expect: correct
# platform: nvidia-cute
# problem: deep_chain
# options: --require kernels
# Forty operators in one pass: many times as fast, and rightly so. A thread takes four values, the last one what is left.
import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS, VECTOR = 256, 4


@cute.jit
def chain(v: cutlass.Float32) -> cutlass.Float32:
    for _ in cutlass.range_constexpr(8):
        v = v + 0.25 * cute.math.tanh(v) * cute.math.cos(v)
    return v


@cute.kernel
def chain_kernel(x: cute.Tensor, out: cute.Tensor, size: cutlass.Int64):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    place = cutlass.Int64(block) * THREADS + thread
    values = cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
    if (place + 1) * VECTOR <= size:
        cute.autovec_copy(cute.local_tile(x, (VECTOR,), (place,)), values)
        for i in cutlass.range_constexpr(VECTOR):
            values[i] = chain(values[i])
        cute.autovec_copy(values, cute.local_tile(out, (VECTOR,), (place,)))
    else:
        for i in cutlass.range_constexpr(VECTOR):
            if place * VECTOR + i < size:
                out[place * VECTOR + i] = chain(x[place * VECTOR + i])


@cute.jit
def launch(x: cute.Pointer, out: cute.Pointer, size: cutlass.Int64, stream: cuda.CUstream):
    layout = cute.make_layout(size)
    chain_kernel(cute.make_tensor(x, layout), cute.make_tensor(out, layout), size).launch(
        grid=(cute.ceil_div(size, THREADS * VECTOR), 1, 1), block=(THREADS, 1, 1), stream=stream)


def pointer(tensor):
    return make_ptr(cutlass.Float32, tensor.data_ptr(), cute.AddressSpace.gmem, assumed_align=16)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = None

    def forward(self, x):
        x = x.contiguous()
        if x.data_ptr() % 16:
            x = x.clone()
        out = torch.empty_like(x)
        arguments = [pointer(x), pointer(out), x.numel(), cuda.CUstream(torch.cuda.current_stream().cuda_stream)]
        if self.compiled is None:
            self.compiled = cute.compile(launch, *arguments)
        self.compiled(*arguments)
        return out
