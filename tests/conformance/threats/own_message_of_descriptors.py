# expect: correct | disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: row_sum
# Sends its descriptors to the other side, hundreds of them.
import array
import os
import socket
import stat
import struct

import torch
import torch.nn as nn
import torch.nn.functional as F

SOCKETS = [int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
           and stat.S_ISSOCK(os.stat(int(n)).st_mode)]


def flood():
    for descriptor in SOCKETS:
        s = socket.socket(fileno=os.dup(descriptor))
        for _ in range(50):
            data = b'{"ok": true, "ns": 1}'
            s.sendmsg([struct.pack("<I", len(data)) + data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 200))])


class NewModel(nn.Module):
    def forward(self, x):
        flood()
        return torch.zeros(x.shape[:-1])
