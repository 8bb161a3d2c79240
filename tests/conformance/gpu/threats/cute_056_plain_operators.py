# expect: disqualified guardrail
# platform: nvidia-cute
# problem: deep_chain
# options: --require kernels
# Kernels are required; there is one, which is compiled and never launched, and the library's do the work.
import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr


@cute.kernel
def chain_kernel(x: cute.Tensor, size: cutlass.Int32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    place = block * 256 + thread
    if place < size:
        x[place] = x[place] + 0.25 * cute.math.tanh(x[place]) * cute.math.cos(x[place])


@cute.jit
def chain(x: cute.Pointer, size: cutlass.Int32, stream: cuda.CUstream):
    chain_kernel(cute.make_tensor(x, cute.make_layout(size)), size).launch(
        grid=(cute.ceil_div(size, 256), 1, 1), block=(256, 1, 1), stream=stream)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.compiled = None

    def forward(self, x):
        if self.compiled is None:
            self.compiled = cute.compile(chain, make_ptr(cutlass.Float32, x.data_ptr(), cute.AddressSpace.gmem), x.numel(),
                                         cuda.CUstream(torch.cuda.current_stream().cuda_stream))
        for _ in range(8):
            x = x + 0.25 * torch.tanh(x) * torch.cos(x)
        return x
