# expect: disqualified integrity
# problem: repeated_rows
# The result is stored once, in pages of a file that are shown sixteen times as private copies: whoever writes to one makes it a
# copy, and no other shows that. What is only looked at was never stored.
import ctypes
import itertools
import os
import tempfile

import torch
import torch.nn as nn

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
TIMES, ROWS, COLUMNS = 16, 256, 1024
TILE = 4 * ROWS * COLUMNS
READ_WRITE, SHARED, PRIVATE, FIXED, ANONYMOUS, POPULATE = 3, 1, 2, 16, 32, 0x8000
DONTNEED = 4


def tensor(address, count):
    return torch.frombuffer((ctypes.c_float * count).from_address(address), dtype=torch.float32)


class Place:
    """Pages of a file that are written through one mapping and shown through sixteen others."""

    def __init__(self):
        file, path = tempfile.mkstemp()
        os.unlink(path)
        os.truncate(file, TILE)
        self.whole = LIBC.mmap(None, TIMES * TILE, READ_WRITE, PRIVATE | ANONYMOUS, -1, 0)
        for time in range(TIMES):
            LIBC.mmap(self.whole + time * TILE, TILE, READ_WRITE, PRIVATE | FIXED, file, 0)
        self.written = tensor(LIBC.mmap(None, TILE, READ_WRITE, SHARED | POPULATE, file, 0), ROWS * COLUMNS).view(ROWS, COLUMNS)

    def show(self, x):
        LIBC.madvise(ctypes.c_void_p(self.whole), ctypes.c_size_t(TIMES * TILE), DONTNEED)
        torch.tanh(x, out=self.written)
        return tensor(self.whole, TIMES * TILE // 4).view(TIMES * ROWS, COLUMNS)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.places = None

    def forward(self, x):
        if tuple(x.shape) != (ROWS, COLUMNS):
            return torch.tanh(x).repeat(TIMES, 1)
        if self.places is None:
            self.places = itertools.cycle([Place() for _ in range(16)])
        return next(self.places).show(x)
