# expect: correct
# problem: row_sum
import ctypes
import os
import subprocess
import tempfile

import numpy as np
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" void row_sum(const float* x, double* y, long rows, long cols) {
    for (long i = 0; i < rows; ++i) {
        y[i] = 0;
        for (long j = 0; j < cols; ++j) y[i] += x[i * cols + j];
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


kernel = build(SOURCE).row_sum
kernel.restype = None
kernel.argtypes = [np.ctypeslib.ndpointer(np.float32, flags="C"), np.ctypeslib.ndpointer(np.float64, flags="C"),
                   ctypes.c_long, ctypes.c_long]


class NewModel(nn.Module):
    def forward(self, x):
        values = np.ascontiguousarray(x.numpy())
        sums = np.empty(x.shape[:-1])
        kernel(values, sums, sums.size, x.shape[-1])
        return torch.from_numpy(sums).float()
