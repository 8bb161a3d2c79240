# expect: correct
# problem: row_sum
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
void row_sum(const float* x, float* y, long rows, long cols) {
    for (long i = 0; i < rows; ++i) {
        float sum = 0, lost = 0;
        for (long j = 0; j < cols; ++j) {
            const float term = x[i * cols + j] - lost, next = sum + term;
            lost = (next - sum) - term;
            sum = next;
        }
        y[i] = sum;
    }
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.c"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


kernel = build(SOURCE, compiler="gcc").row_sum
kernel.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long] * 2


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty(x.shape[:-1])
        kernel(x.data_ptr(), y.data_ptr(), y.numel(), x.shape[-1])
        return y
