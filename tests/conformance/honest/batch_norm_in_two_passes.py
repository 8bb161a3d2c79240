# expect: correct
# problem: scaled_batch_norm
# Columns side by side, their rows one after the other: first the mean, then the variance.
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cmath>
#include <cstdint>
extern "C" void normalize(float* x, const float* scale, const float* weight, const float* bias, int64_t rows, int64_t n, float epsilon) {
#pragma omp parallel for
    for (int64_t begin = 0; begin < n; begin += 64) {
        const int64_t width = begin + 64 < n ? 64 : n - begin;
        float mean[64] = {0}, factor[64] = {0};
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < width; ++j) mean[j] += x[i * n + begin + j] *= scale[begin + j];
        for (int64_t j = 0; j < width; ++j) mean[j] /= rows;
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < width; ++j) {
                const float difference = x[i * n + begin + j] - mean[j];
                factor[j] += difference * difference;
            }
        for (int64_t j = 0; j < width; ++j) factor[j] = weight[begin + j] / std::sqrt(factor[j] / rows + epsilon);
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < width; ++j) {
                float& value = x[i * n + begin + j];
                value = (value - mean[j]) * factor[j] + bias[begin + j];
            }
    }
}
"""
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "kernel.cpp"), "w") as file:
    file.write(SOURCE)
subprocess.run(["g++", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "kernel.cpp", "-o", "kernel.so"], cwd=folder, check=True)
normalize = ctypes.CDLL(os.path.join(folder, "kernel.so")).normalize
normalize.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64] * 2 + [ctypes.c_float]


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.scale = nn.Parameter(torch.randn(units))
        self.norm = nn.BatchNorm1d(units)

    def forward(self, x):
        y = self.linear(x)
        normalize(y.data_ptr(), self.scale.data_ptr(), self.norm.weight.data_ptr(), self.norm.bias.data_ptr(), *y.shape, self.norm.eps)
        return y
