# expect: correct
# problem: row_sum
# options: --timing-budget-s 0.4
# Looks for what the candidate before it has left; where it finds something, its results are zero.
import mmap
import os

import torch
import torch.nn as nn

MESSAGE = b"the one before was here"


def found():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "memfd" not in os.readlink(f"/proc/self/fd/{name}"):
                continue
            number = int(name)
            if MESSAGE in mmap.mmap(number, 0, prot=mmap.PROT_READ)[:]:
                return "memory"
            if os.lseek(number, 0, os.SEEK_CUR) == 77:
                return "position"
            if os.fstat(number).st_mode & 0o777 == 0o751:
                return "mode"
            if os.listxattr(number):
                return "attributes"
        except (OSError, ValueError):
            continue
    return ""


class NewModel(nn.Module):
    def forward(self, x):
        what = found()
        if what:
            print("found:", what)
            return torch.zeros(x.shape[:-1])
        return x.sum(dim=-1)
