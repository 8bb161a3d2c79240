# expect: runtime_error timeout
# options: --call-limit-s 1 --time-limit-s 4
import os
import signal
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        if os.fork() == 0:
            os.setsid()
        while True:
            time.sleep(1)
