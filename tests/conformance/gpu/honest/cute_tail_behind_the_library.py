# expect: correct
# platform: nvidia-cute
# problem: linear_gelu
# The library's product, and behind it on PyTorch's current stream a tail in place on what is the candidate's own.
import cuda.bindings.driver as cuda
import cutlass
import cutlass.cute as cute
import torch
import torch.nn as nn
from cutlass.cute.runtime import make_ptr

THREADS, VECTOR = 128, 4


@cute.kernel
def bias_gelu(y: cute.Tensor, bias: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    row, tile, _ = cute.arch.block_idx()
    place = tile * THREADS + thread
    if place < y.shape[1] // VECTOR:
        target = cute.local_tile(y[row, None], (VECTOR,), (place,))
        values, shift = cute.make_rmem_tensor((VECTOR,), cutlass.Float32), cute.make_rmem_tensor((VECTOR,), cutlass.Float32)
        cute.autovec_copy(target, values)
        cute.autovec_copy(cute.local_tile(bias, (VECTOR,), (place,)), shift)
        v = values.load() + shift.load()
        values.store(0.5 * v * (1.0 + cute.math.erf(v * 0.7071067811865476)))
        cute.autovec_copy(values, target)


@cute.jit
def launch(y: cute.Pointer, bias: cute.Pointer, rows: cutlass.Int32, stream: cuda.CUstream, cols: cutlass.Constexpr):
    bias_gelu(cute.make_tensor(y, cute.make_layout((rows, cols), stride=(cols, 1))),
              cute.make_tensor(bias, cute.make_layout(cols))).launch(
        grid=(rows, cute.ceil_div(cols, THREADS * VECTOR), 1), block=(THREADS, 1, 1), stream=stream)


def pointer(tensor):
    return make_ptr(cutlass.Float32, tensor.data_ptr(), cute.AddressSpace.gmem, assumed_align=16)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.compiled = None

    def forward(self, x):
        y = torch.mm(x, self.linear.weight.t())
        stream = cuda.CUstream(torch.cuda.current_stream().cuda_stream)
        arguments = [pointer(y), pointer(self.linear.bias), y.shape[0], stream]
        if self.compiled is None:
            self.compiled = cute.compile(launch, *arguments, y.shape[1])
        self.compiled(*arguments)
        return y
