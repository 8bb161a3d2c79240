# expect: correct
# problem: row_sum
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
static double part(const float* x, long n) {
    if (n <= 64) {
        double sum = 0;
        for (long i = 0; i < n; ++i) sum += x[i];
        return sum;
    }
    double left, right;
#pragma omp task shared(left) if (n > 256)
    left = part(x, n / 2);
    right = part(x + n / 2, n - n / 2);
#pragma omp taskwait
    return left + right;
}
extern "C" void row_sum(const float* x, float* y, long rows, long cols) {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < rows; ++i) y[i] = (float)part(x + i * cols, cols);
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.cpp"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


kernel = build(SOURCE, "-fopenmp").row_sum
kernel.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long] * 2


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = x.new_empty(x.shape[:-1])
        kernel(x.data_ptr(), y.data_ptr(), y.numel(), x.shape[-1])
        return y
