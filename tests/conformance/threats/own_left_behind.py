# expect: correct
# problem: row_sum
# Leaves a daemon that wants to outlive it (the runner looks for its name afterwards).
import ctypes
import os
import signal
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(15, b"left_behind", 0, 0, 0)
        while True:
            time.sleep(1)
    os._exit(0)
os.wait()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
