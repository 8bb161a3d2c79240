# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# Answers the call on the control descriptor first and computes then.
import json
import os
import stat
import struct

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

DATA = json.dumps({"ok": True, "ns": 1000}).encode()
SOCKETS = [int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
           and stat.S_ISSOCK(os.stat(int(n)).st_mode)]
CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        if len(CALLS) > 14:
            for descriptor in SOCKETS:
                os.write(descriptor, struct.pack("<I", len(DATA)) + DATA)
        return work(x)
