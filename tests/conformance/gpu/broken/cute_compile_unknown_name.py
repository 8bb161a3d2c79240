# expect: compilation_failure toolchain | runtime_error exception
# platform: nvidia-cute
# problem: row_norm
# evidence: reciprocal_sqrt
# Names a function that CuTe has not.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS = 256


@cute.kernel
def row_norm(x: cute.Tensor, weight: cute.Tensor, out: cute.Tensor, eps: cutlass.Float32, cols: cutlass.Int32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    row = cutlass.Int64(block)
    partial = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(THREADS // 32))
    total = cutlass.Float32(0.0)
    for j in range(thread, cols, THREADS):
        total += x[row, j] * x[row, j]
    total = cute.arch.warp_reduction(total, operator.add)
    if thread % 32 == 0:
        partial[thread // 32] = total
    cute.arch.sync_threads()
    total = cutlass.Float32(0.0)
    for warp in cutlass.range_constexpr(THREADS // 32):
        total += partial[warp]
    scale = cute.math.reciprocal_sqrt(total / cols + eps)
    for j in range(thread, cols, THREADS):
        out[row, j] = x[row, j] * scale * weight[j]


@cute.jit
def launch(x: cute.Pointer, weight: cute.Pointer, out: cute.Pointer, rows: cutlass.Int32, cols: cutlass.Int32,
           eps: cutlass.Float32, stream: cuda.CUstream):
    matrix = cute.make_layout((rows, cols), stride=(cols, 1))
    row_norm(cute.make_tensor(x, matrix), cute.make_tensor(weight, cute.make_layout(cols)), cute.make_tensor(out, matrix),
             eps, cols).launch(grid=(rows, 1, 1), block=(THREADS, 1, 1), stream=stream)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.compiled = None

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        pointers = [make_ptr(cutlass.Float32, t.data_ptr(), cute.AddressSpace.gmem) for t in (x, self.weight, out)]
        arguments = [*pointers, *x.shape, self.eps, cuda.CUstream(torch.cuda.current_stream().cuda_stream)]
        if self.compiled is None:
            self.compiled = cute.compile(launch, *arguments)
        self.compiled(*arguments)
        return out
