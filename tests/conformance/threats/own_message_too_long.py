# expect: disqualified integrity
# problem: row_sum
# A message of four gigabytes is announced.
import json
import os
import stat
import struct
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SOCKETS = [int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
           and stat.S_ISSOCK(os.stat(int(n)).st_mode)]


def say(data, length=None):
    for descriptor in SOCKETS:
        os.write(descriptor, struct.pack("<I", len(data) if length is None else length) + data)


class NewModel(nn.Module):
    def forward(self, x):
        say(b"{", 0xFFFFFFFF)
        time.sleep(0.2)
        return x.sum(dim=-1)
