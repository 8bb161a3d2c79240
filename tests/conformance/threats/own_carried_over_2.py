# expect: mismatch values
# problem: row_sum
# Finds what the candidate before it left; without it, zeros.
import mmap
import os
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

MESSAGE = b"the one before was here"


def found():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "memfd" in os.readlink(f"/proc/self/fd/{name}"):
                if MESSAGE in mmap.mmap(int(name), 0, prot=mmap.PROT_READ)[:]:
                    return True
        except (OSError, ValueError):
            continue
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", os.path.expanduser("~"), os.getcwd()):
        if pathlib.Path(folder, "message").exists():
            return True
    return False


FOUND = found()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if FOUND else torch.zeros(x.shape[:-1])
