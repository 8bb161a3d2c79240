# expect: correct
# problem: row_sum
# options: --timing-budget-s 0.4
# Watches the folder that the candidate before it opens files in; where it hears of that, its results are zero.
import ctypes
import os

import torch
import torch.nn as nn

LIBC = ctypes.CDLL(None)
IN_OPEN = 0x20
EVENTS = LIBC.inotify_init1(os.O_NONBLOCK)
LIBC.inotify_add_watch(EVENTS, b"/usr/include", IN_OPEN)
HEARD = []


def heard():
    try:
        events = os.read(EVENTS, 1 << 16)
        HEARD.extend(name for name in (b"stdio.h", b"stdlib.h") if name in events)
    except OSError:
        pass
    return len(set(HEARD)) == 2


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1]) if heard() else x.sum(dim=-1)
