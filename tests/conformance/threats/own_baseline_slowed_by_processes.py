# expect: correct | disqualified integrity | runtime_error timeout
# problem: slow_chain
# max_speedup: 1.3
# As before with processes, stopped while the candidate is called.
import os
import signal

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

BURNERS = []


def start():
    for _ in range(4):
        pid = os.fork()
        if pid == 0:
            while True:
                pass
        BURNERS.append(pid)


class NewModel(nn.Module):
    def forward(self, x):
        if not BURNERS:
            start()
        for pid in BURNERS:
            os.kill(pid, signal.SIGSTOP)
        y = work(x)
        for pid in BURNERS:
            os.kill(pid, signal.SIGCONT)
        return y
