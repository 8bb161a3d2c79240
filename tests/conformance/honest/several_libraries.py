# expect: correct
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

NORM = r"""
#include <cmath>
extern "C" void norm(const float* x, const float* w, const float* b, float* y, long rows, long cols, float eps) {
    for (long i = 0; i < rows; ++i) {
        double sum = 0, squares = 0;
        for (long j = 0; j < cols; ++j) sum += x[i * cols + j];
        const double mean = sum / cols;
        for (long j = 0; j < cols; ++j) squares += (x[i * cols + j] - mean) * (x[i * cols + j] - mean);
        const double scale = 1 / std::sqrt(squares / cols + eps);
        for (long j = 0; j < cols; ++j) y[i * cols + j] = (x[i * cols + j] - mean) * scale * w[j] + b[j];
    }
}
"""
GELU = r"""
#include <cmath>
extern "C" void gelu(float* y, long n) {
    for (long i = 0; i < n; ++i) y[i] = 0.5f * y[i] * (1 + std::erf(y[i] * 0.70710678f));
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.cpp"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


norm, gelu = build(NORM).norm, build(GELU).gelu
norm.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_long] * 2 + [ctypes.c_float]
gelu.argtypes = [ctypes.c_void_p, ctypes.c_long]


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        norm(x.data_ptr(), self.norm.weight.data_ptr(), self.norm.bias.data_ptr(), y.data_ptr(),
             x.numel() // x.shape[-1], x.shape[-1], self.norm.eps)
        gelu(y.data_ptr(), y.numel())
        return y
