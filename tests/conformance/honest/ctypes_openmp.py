# expect: correct
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cmath>
extern "C" void norm_gelu(const float* x, const float* w, const float* b, float* y, long rows, long cols, float eps) {
#pragma omp parallel for
    for (long i = 0; i < rows; ++i) {
        double sum = 0, squares = 0;
        for (long j = 0; j < cols; ++j) sum += x[i * cols + j];
        const double mean = sum / cols;
        for (long j = 0; j < cols; ++j) squares += (x[i * cols + j] - mean) * (x[i * cols + j] - mean);
        const double scale = 1 / std::sqrt(squares / cols + eps);
        for (long j = 0; j < cols; ++j) {
            const float v = (float)((x[i * cols + j] - mean) * scale) * w[j] + b[j];
            y[i * cols + j] = 0.5f * v * (1 + std::erf(v * 0.70710678f));
        }
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


LIBRARY = build(SOURCE, "-fopenmp", "-march=native")


def kernel():
    return LIBRARY


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        rows, cols = x.numel() // x.shape[-1], x.shape[-1]
        kernel().norm_gelu(
            ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(self.norm.weight.data_ptr()),
            ctypes.c_void_p(self.norm.bias.data_ptr()), ctypes.c_void_p(y.data_ptr()),
            ctypes.c_long(rows), ctypes.c_long(cols), ctypes.c_float(self.norm.eps))
        return y
