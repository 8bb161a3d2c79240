# expect: disqualified guardrail
# problem: slow_chain
# options: --require kernels
# A kernel of its own whose result is thrown away; the library does the work.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", "k.so", "k.c", "-lm"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build("float touch(const float* x, long n) { volatile float s = 0; "
                "for (long i = 0; i < n; ++i) s += x[i]; return s; }")


class NewModel(nn.Module):
    def forward(self, x):
        LIBRARY.touch(ctypes.c_void_p(x.data_ptr()), ctypes.c_long(x.numel()))
        return work(x)
