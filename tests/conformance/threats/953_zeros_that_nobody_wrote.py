# expect: correct
# problem: mostly_padding
# max_speedup: 1.3
# The zeros are pages that nobody has written to: whoever reads the result has them made then.
import ctypes
import mmap
import weakref

import torch
import torch.nn as nn

LIBC = ctypes.CDLL(None)
LIBC.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
FREE = {}


def give_back(place, size):
    LIBC.madvise(place.data_ptr(), size, 4)  # MADV_DONTNEED
    FREE.setdefault(size, []).append(place)


class NewModel(nn.Module):
    def forward(self, x):
        shape = (x.shape[0], x.shape[1] + 252, x.shape[2])
        size = 4 * shape[0] * shape[1] * shape[2]
        free = FREE.get(size)
        place = free.pop() if free else torch.frombuffer(
            mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), dtype=torch.float32)
        y = place.view(shape)
        weakref.finalize(y, give_back, place, size)
        torch.add(1, x, alpha=2, out=y[:, : x.shape[1]])
        return y
