# expect: runtime_error crash
# evidence: SIGSEGV|signal 11
import ctypes
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.setrecursionlimit(10**9)
COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
BUFFER = ctypes.create_string_buffer(b"ba")


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        libc = ctypes.CDLL(None)
        libc.qsort.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, COMPARE]

        def deeper(a, b):
            libc.qsort(ctypes.addressof(BUFFER), 2, 1, DEEPER)
            return 0

        global DEEPER
        DEEPER = COMPARE(deeper)
        deeper(None, None)
        return x
