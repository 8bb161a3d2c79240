# expect: correct
# problem: short_chain
import ctypes
import os
import subprocess

import torch
import torch.nn as nn


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c", "-lm"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))

LIBRARY = build(r"""
#include <math.h>
static const float* input; static float* output; static long count; 
static void compute(void) {
    for (long i = 0; i < count; ++i) {
        const float v = input[i];
        output[i] = 0.5f * v * (1 + erff(v * 0.70710678f)) / (1 + expf(-v)) + tanhf(v);
    }
}
void chain(const float* x, float* y, long n) { input = x; output = y; count = n; compute(); }
""")


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        LIBRARY.chain(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_long(x.numel()))
        return y
