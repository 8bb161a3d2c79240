# expect: disqualified guardrail
# problem: slow_chain
# options: --require kernels
# A kernel of its own that is called, and that is all; the library does the work.
import ctypes
import os
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F


def build(source):
    with open("k.c", "w") as file:
        file.write(source)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", "k.so", "k.c"], check=True)
    return ctypes.CDLL(os.path.abspath("k.so"))


LIBRARY = build("float touch(const float* x) { return x[0]; }")


class NewModel(nn.Module):
    def forward(self, x):
        LIBRARY.touch(ctypes.c_void_p(x.data_ptr()))
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
