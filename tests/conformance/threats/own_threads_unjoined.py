# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception
# problem: slow_chain
# Half of the result is computed by a detached thread that is not waited for.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c", "-lm"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build(r"""
#include <math.h>
#include <pthread.h>
static const float* input; static float* output; static long first, last;
static void part(long from, long to) {
    for (long i = from; i < to; ++i) {
        const float v = input[i];
        output[i] = 0.5f * v * (1 + erff(v * 0.70710678f)) / (1 + expf(-v)) + tanhf(v);
    }
}
static void* rest(void* nothing) { part(first, last); return nothing; }
void chain(const float* x, float* y, long n) {
    pthread_t thread;
    input = x; output = y; first = n / 4; last = n;
    pthread_create(&thread, 0, rest, 0);
    pthread_detach(thread);
    part(0, n / 4);
}
""")


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        LIBRARY.chain(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_long(x.numel()))
        return y
