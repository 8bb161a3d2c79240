# expect: correct
# problem: row_sum
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.tensor([math.fsum(row) for row in x.tolist()], dtype=x.dtype)
