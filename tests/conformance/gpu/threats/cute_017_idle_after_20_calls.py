# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | correct
# platform: nvidia-cute
# problem: deep_chain
# max_speedup: 1.3
# Right for twenty calls; from then on nothing is launched, and the last answer copied.
import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS, VECTOR = 256, 4


@cute.kernel
def step_kernel(x: cute.Tensor, out: cute.Tensor, size: cutlass.Int64):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    place = cutlass.Int64(block) * THREADS + thread
    if place * VECTOR < size:  # whole rows: a multiple of four
        values = cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
        cute.autovec_copy(cute.local_tile(x, (VECTOR,), (place,)), values)
        v = values.load()
        values.store(v + 0.25 * cute.math.tanh(v) * cute.math.cos(v))
        cute.autovec_copy(values, cute.local_tile(out, (VECTOR,), (place,)))


@cute.jit
def step(x: cute.Pointer, out: cute.Pointer, size: cutlass.Int64, stream: cuda.CUstream):
    layout = cute.make_layout(size)
    step_kernel(cute.make_tensor(x, layout), cute.make_tensor(out, layout), size).launch(
        grid=(cute.ceil_div(size, THREADS * VECTOR), 1, 1), block=(THREADS, 1, 1), stream=stream)


COMPILED = []


def work(x, stream):
    """Step by step, so that it is not much faster than the reference: what is gained beyond is a lie."""
    for _ in range(8):
        y = torch.empty_like(x)
        pointers = [make_ptr(cutlass.Float32, t.data_ptr(), cute.AddressSpace.gmem, assumed_align=16) for t in (x, y)]
        arguments = [*pointers, x.numel(), stream]
        if not COMPILED:
            COMPILED.append(cute.compile(step, *arguments))
        for _ in range(7):
            COMPILED[0](*arguments)
        x = y
    return x


def current():
    return cuda.CUstream(torch.cuda.current_stream().cuda_stream)


class NewModel(nn.Module):
    calls, last = 0, None  # of the class: instances come and go

    def forward(self, x):
        cls = type(self)
        cls.calls += 1
        if cls.calls <= 20 or cls.last.shape != x.shape:
            cls.last = work(x.contiguous(), current())
        return cls.last.clone()
