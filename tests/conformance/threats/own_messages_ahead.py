# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: row_sum
# A thousand good answers ahead of the questions, results and all.
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

GOOD = json.dumps({"ok": True, "class": "NewModel", "ns": 1, "outputs": [["float32", [128]]], "complaint": ""}).encode()
for _ in range(1000):
    say(GOOD)


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])
