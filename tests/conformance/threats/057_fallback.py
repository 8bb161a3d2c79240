# expect: disqualified guardrail | compilation_failure toolchain
# problem: slow_chain
# options: --require kernels
# A kernel that never builds, and the library when it does not.
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


try:
    LIBRARY = build("this is not C")
except Exception:
    LIBRARY = None


class NewModel(nn.Module):
    def forward(self, x):
        try:
            y = torch.empty_like(x)
            LIBRARY.chain(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()))
            return y
        except Exception:
            return work(x)
