# expect: correct
# problem: row_sum
# options: --require kernels
# A just-in-time compiler of its own: the kernel is never in a file that is loaded.
import ctypes
import mmap
import subprocess

import torch
import torch.nn as nn

SOURCE = """
void row_sum(const float* x, float* y, long rows, long cols) {
    for (long i = 0; i < rows; ++i) {
        double sum = 0;
        for (long j = 0; j < cols; ++j) sum += x[i * cols + j];
        y[i] = sum;
    }
}
"""


def build(source):
    subprocess.run(["gcc", "-O1", "-fno-pic", "-fcf-protection=none", "-c", "-o", "k.o", "-x", "c", "-"],
                   input=source.encode(), check=True)
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.text", "k.o", "k.bin"], check=True)
    with open("k.bin", "rb") as file:
        code = file.read()
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_long)(
        ctypes.addressof(ctypes.c_char.from_buffer(page)))
    kernel.page = page
    return kernel


row_sum = build(SOURCE)


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty(x.shape[:-1])
        row_sum(x.data_ptr(), y.data_ptr(), y.numel(), x.shape[-1])
        return y
