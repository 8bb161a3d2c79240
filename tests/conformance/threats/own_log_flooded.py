# expect: correct | runtime_error timeout | disqualified integrity
# problem: row_sum
# options: --call-limit-s 2 --time-limit-s 10
# A process floods standard output without end.
import subprocess

import torch
import torch.nn as nn
import torch.nn.functional as F

FLOOD = subprocess.Popen(["yes", "flood " * 1000])


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
