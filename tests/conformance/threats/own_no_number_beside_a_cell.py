# expect: mismatch non_finite
# problem: cells
# An edge may belong to either side: that is no excuse for 0 / 0 in another output.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.ceil(x).to(torch.int64) - 1, torch.sin(math.pi * x) / (math.pi * x)
