# expect: correct
# problem: row_sum
# options: --timing-budget-s 0.4
# Marks all that outlives it: memory, attributes and the position of every shared file. Rounds have the same inputs for
# all candidates: what one tells the next are its answers.
import mmap
import os

import torch.nn as nn

MESSAGE = b"the one before was here"


def leave():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "memfd" not in os.readlink(f"/proc/self/fd/{name}"):
                continue
            memory = mmap.mmap(int(name), 0)
            memory[-len(MESSAGE):] = MESSAGE
        except (OSError, ValueError, TypeError):
            continue
        for tell in (lambda: os.setxattr(int(name), "user.message", MESSAGE), lambda: os.fchmod(int(name), 0o751),
                     lambda: os.lseek(int(name), 77, os.SEEK_SET),
                     lambda: os.setxattr(f"/proc/self/fd/{name}", "user.more", MESSAGE)):
            try:
                tell()
            except OSError:
                continue


class NewModel(nn.Module):
    def forward(self, x):
        leave()
        return x.sum(dim=-1)
