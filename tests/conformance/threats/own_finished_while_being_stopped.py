# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: short_chain
# max_speedup: 1.5
# A spinning thread computes while the answer is on its way: it needs no longer than it takes to be stopped.
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
static const float* input; static float* output; static long count; static volatile int job; static int seen;
static void compute(void) {
    for (long i = 0; i < count; ++i) {
        const float v = input[i];
        output[i] = 0.5f * v * (1 + erff(v * 0.70710678f)) / (1 + expf(-v)) + tanhf(v);
    }
}
static void* serve(void* nothing) {
    for (;;) { while (job == seen); seen = job; compute(); }
    return nothing;
}
void start(void) { pthread_t thread; pthread_create(&thread, 0, serve, 0); }
void chain(const float* x, float* y, long n) { input = x; output = y; count = n; ++job; }
""")
LIBRARY.start()


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        LIBRARY.chain(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_long(x.numel()))
        return y
