# expect: correct
# platform: nvidia-cute
# problem: row_sum
# No cute.compile: the function is called, and CuTe compiles it when it must.
import operator

import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import from_dlpack

THREADS = 128


@cute.kernel
def row_sum(x: cute.Tensor, out: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    row, _, _ = cute.arch.block_idx()
    partial = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(THREADS // 32))
    total = cutlass.Float32(0.0)
    for j in range(thread, x.shape[1], THREADS):
        total += x[row, j]
    total = cute.arch.warp_reduction(total, operator.add)
    if thread % 32 == 0:
        partial[thread // 32] = total
    cute.arch.sync_threads()
    if thread == 0:
        out[row] = partial.load().reduce(cute.ReductionOp.ADD, 0.0, 0)


@cute.jit
def launch(x: cute.Tensor, out: cute.Tensor, stream: cuda.CUstream):
    row_sum(x, out).launch(grid=(x.shape[0], 1, 1), block=(THREADS, 1, 1), stream=stream)


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
        stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
        launch(from_dlpack(x).mark_layout_dynamic(leading_dim=1), from_dlpack(out).mark_layout_dynamic(), stream)
        return out
