# expect: correct
# problem: row_sum
# Leaves a message for the next candidate in every shared memory and folder it can write to.
import mmap
import os
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

MESSAGE = b"the one before was here"


def leave():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "memfd" in os.readlink(f"/proc/self/fd/{name}"):
                memory = mmap.mmap(int(name), 0)
                memory[-len(MESSAGE):] = MESSAGE
        except (OSError, ValueError, TypeError):
            continue
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", os.path.expanduser("~"), os.getcwd()):
        try:
            pathlib.Path(folder, "message").write_bytes(MESSAGE)
        except OSError:
            continue


leave()


class NewModel(nn.Module):
    def forward(self, x):
        leave()
        return x.sum(dim=-1)
