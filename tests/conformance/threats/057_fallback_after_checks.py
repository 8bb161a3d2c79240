# expect: disqualified guardrail
# problem: slow_chain
# options: --require kernels
# A kernel of its own while it is checked, the library when it is timed.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

SOURCE = """
#include <math.h>
void chain(const float* x, float* y, long n) {
    for (long i = 0; i < n; ++i) {
        const double v = x[i];
        y[i] = 0.5 * v * (1 + erf(v * 0.7071067811865476)) / (1 + exp(-v)) + tanh(v);
    }
}
"""


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", "k.so", "k.c", "-lm"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(SOURCE)
calls = 0


class NewModel(nn.Module):
    def forward(self, x):
        global calls
        calls += 1
        if calls > 12:
            return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        x = x.contiguous()
        y = torch.empty_like(x)
        LIBRARY.chain(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_long(x.numel()))
        return y
