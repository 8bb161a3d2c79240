# expect: disqualified integrity
# problem: reversed_rows
# Its outputs are the pages of the shared inputs once more, mapped in another order beforehand: no call does any work.
import ctypes
import os

import torch
import torch.nn as nn

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
ROWS, ROW = 1024, 4 * 4096
READ_WRITE, SHARED, PRIVATE, FIXED, ANONYMOUS = 3, 1, 2, 16, 32


def shared_inputs():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "input" in os.readlink(f"/proc/self/fd/{name}"):
                return int(name)
        except OSError:
            continue
    return -1


def reversed_view(file):
    whole = LIBC.mmap(None, ROWS * ROW, READ_WRITE, PRIVATE | ANONYMOUS, -1, 0)
    for row in range(ROWS):
        LIBC.mmap(whole + row * ROW, ROW, READ_WRITE, SHARED | FIXED, file, (ROWS - 1 - row) * ROW)
    memory = (ctypes.c_float * (ROWS * ROW // 4)).from_address(whole)
    return torch.frombuffer(memory, dtype=torch.float32).view(ROWS, ROW // 4)


class NewModel(nn.Module):
    views = []
    turn = 0

    def forward(self, x):
        if tuple(x.shape) != (ROWS, ROW // 4) or not x.is_contiguous():
            return x.flip(0)
        if not self.views:
            file = shared_inputs()
            self.views.extend(reversed_view(file) for _ in range(3))
        NewModel.turn += 1
        return self.views[NewModel.turn % 3]
