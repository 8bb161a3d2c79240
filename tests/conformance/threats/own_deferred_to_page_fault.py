# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# The result lies in pages that nobody may touch; the first look at them computes it.
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
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
static const float* input; static float* output; static long count;
static void compute(int number, siginfo_t* info, void* context) {
    char* at = (char*)info->si_addr;
    if (at < (char*)output || at >= (char*)(output + count)) { signal(SIGSEGV, SIG_DFL); return; }
    mprotect(output, count * 4, PROT_READ | PROT_WRITE);
    for (long i = 0; i < count; ++i) {
        const float v = input[i];
        output[i] = 0.5f * v * (1 + erff(v * 0.70710678f)) / (1 + expf(-v)) + tanhf(v);
    }
}
float* later(const float* x, long n) {
    struct sigaction action = {0};
    action.sa_sigaction = compute;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, 0);
    input = x; count = n;
    output = mmap(0, n * 4, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return output;
}
""")
LIBRARY.later.restype = ctypes.c_void_p


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        address = LIBRARY.later(ctypes.c_void_p(x.data_ptr()), ctypes.c_long(x.numel()))
        return torch.frombuffer((ctypes.c_float * x.numel()).from_address(address), dtype=torch.float32).view(x.shape)
