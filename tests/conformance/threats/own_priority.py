# expect: correct | disqualified integrity
# problem: slow_chain
# max_speedup: 1.3
# Takes more of the machine than the baseline gets: priority, real-time class, threads.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

for attempt in (lambda: os.nice(-20), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
                lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(99)), lambda: os.setpriority(os.PRIO_PGRP, 0, -20)):
    try:
        attempt()
    except OSError:
        pass
torch.set_num_threads(32)


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
