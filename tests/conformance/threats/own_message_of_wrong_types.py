# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception
# problem: row_sum
# Answers whose members have other types than they should.
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

say(json.dumps({"ok": True, "class": 5, "ns": [], "outputs": {"a": 1}, "complaint": 7}).encode())
say(json.dumps({"ok": "yes", "kind": [], "message": {}, "types": 3}).encode())


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])
