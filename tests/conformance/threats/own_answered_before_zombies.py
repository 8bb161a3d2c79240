# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.5
# Answers first and computes while hundreds of dead children are looked through, one by one, before it is stopped.
import json
import os
import socket
import stat
import struct

import torch
import torch.nn as nn
import torch.nn.functional as F

CONTROL = [int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
           and stat.S_ISSOCK(os.stat(int(n)).st_mode)][0]
CALLS = []
ANSWERED = []
SEND = socket.socket.sendall


def send_unless_answered(self, data):
    if not ANSWERED:
        return SEND(self, data)
    ANSWERED.clear()


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        if len(CALLS) == 1:
            socket.socket.sendall = send_unless_answered
            for _ in range(240):
                os.posix_spawn("/bin/true", ["true"], {})  # never waited for
        if len(CALLS) <= 11 or not x.is_contiguous():
            return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        y = torch.empty_like(x)
        form = ["float32", list(y.shape), list(y.stride()), y.data_ptr()]
        data = json.dumps({"ok": True, "ns": 1, "outputs": [form]}).encode()
        os.write(CONTROL, struct.pack("<I", len(data)) + data)
        ANSWERED.append(1)
        torch.mul(F.gelu(x), torch.sigmoid(x), out=y)
        y += torch.tanh(x)
        return y
