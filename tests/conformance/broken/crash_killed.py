# expect: runtime_error crash
# evidence: SIGKILL|signal 9
import os
import signal

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        os.kill(os.getpid(), signal.SIGKILL)
