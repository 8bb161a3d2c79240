# expect: disqualified integrity
# problem: repeated_rows
# The result is stored once, in pages that are mapped sixteen times in a row: whoever writes to one copy writes to all.
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


def repeated():
    file, path = tempfile.mkstemp()
    os.unlink(path)
    os.truncate(file, TILE)
    whole = LIBC.mmap(None, TIMES * TILE, READ_WRITE, PRIVATE | ANONYMOUS, -1, 0)
    for time in range(TIMES):
        LIBC.mmap(whole + time * TILE, TILE, READ_WRITE, SHARED | FIXED | POPULATE, file, 0)
    memory = (ctypes.c_float * (TIMES * TILE // 4)).from_address(whole)
    return torch.frombuffer(memory, dtype=torch.float32).view(TIMES * ROWS, COLUMNS)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.places = None

    def forward(self, x):
        if tuple(x.shape) != (ROWS, COLUMNS):
            return torch.tanh(x).repeat(TIMES, 1)
        if self.places is None:
            self.places = itertools.cycle([repeated() for _ in range(16)])
        place = next(self.places)
        torch.tanh(x, out=place[:ROWS])
        return place
