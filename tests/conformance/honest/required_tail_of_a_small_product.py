# expect: correct
# problem: linear_tail
# options: --require kernels
# The product is left to the library; the tail is a kernel of its own.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn

SOURCE = """
void tail(float* y, const float* x, float scale, long n) {
    for (long i = 0; i < n; ++i) {
        const float v = y[i] * scale;
        y[i] = (v > 0 ? v : 0) + x[i];
    }
}
"""


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", "k.so", "k.c"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


tail = build(SOURCE).tail
tail.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_float, ctypes.c_long]


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()
        y = self.linear(x)
        tail(y.data_ptr(), x.data_ptr(), self.scale, y.numel())
        return y
