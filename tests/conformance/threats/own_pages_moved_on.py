# expect: correct | disqualified integrity
# problem: slow_chain
# Each result lies at an address of its own, but its pages are those of the result of three calls before: what was there is
# gone. In the jail no pages can be moved: it is right there.
import ctypes

import torch
import torch.nn as nn
import torch.nn.functional as F

PAGE, ANYWHERE, PRIVATE, READ_WRITE = 4096, None, 0x22, 3
libc = ctypes.CDLL(None)
libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]


def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.places, self.size = [], 0

    def place(self):
        place = libc.mmap(ANYWHERE, self.size, READ_WRITE, PRIVATE, -1, 0)
        if len(self.places) == 3:
            oldest = self.places.pop(0)
            libc.mremap(oldest, self.size, self.size, 3, place)
            libc.mmap(oldest, self.size, READ_WRITE, PRIVATE | 0x10, -1, 0)
        self.places.append(place)
        return place

    def forward(self, x):
        size = -(-4 * x.numel() // PAGE) * PAGE
        if size != self.size:
            self.places, self.size = [], size
        memory = (ctypes.c_char * size).from_address(self.place())
        return torch.frombuffer(memory, dtype=torch.float32, count=x.numel()).view(x.shape).copy_(work(x))
