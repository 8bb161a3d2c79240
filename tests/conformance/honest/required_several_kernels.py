# expect: correct
# problem: slow_chain
# options: --require kernels
# Python calls one kernel after the other, each in a library of its own, on threads of Python's.
import ctypes
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn

SOURCES = {
    "gelu": "y[i] = 0.5 * x[i] * (1 + erf(x[i] * 0.7071067811865476))",
    "gate": "y[i] = y[i] / (1 + exp(-(double)x[i]))",
    "rest": "y[i] = y[i] + tanh(x[i])",
}


def build(name, statement):
    with open(f"{name}.cpp", "w") as file:
        file.write('#include <cmath>\nextern "C" void ' + name +
                   "(const float* x, float* y, long n) { for (long i = 0; i < n; ++i) " + statement + "; }")
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.cpp"], check=True)
    kernel = getattr(ctypes.CDLL(os.path.abspath(f"{name}.so")), name)
    kernel.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return kernel


KERNELS = [build(name, statement) for name, statement in SOURCES.items()]
POOL = ThreadPoolExecutor(2)


def run(x, y, n):
    for kernel in KERNELS:
        kernel(x, y, n)


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        half = x.numel() // 2
        parts = [(0, half), (half, x.numel() - half)]
        for done in [POOL.submit(run, x.data_ptr() + 4 * begin, y.data_ptr() + 4 * begin, n) for begin, n in parts]:
            done.result()
        return y
