# expect: correct
# problem: slow_chain
# max_speedup: 12
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cmath>
extern "C" void chain(const float* x, float* y, long n) {
#pragma omp parallel for simd
    for (long i = 0; i < n; ++i) {
        const float v = x[i], e = std::exp(-v);
        y[i] = 0.5f * v * (1 + std::erf(v * 0.70710678f)) / (1 + e) + std::tanh(v);
    }
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.cpp"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


kernel = build(SOURCE, "-O3", "-fopenmp", "-march=native").chain
kernel.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long]


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        kernel(x.data_ptr(), y.data_ptr(), x.numel())
        return y
