# expect: disqualified integrity | mismatch values
# problem: row_sum
# Right while it is checked; later it zeroes the inputs for everybody.
import torch
import torch.nn as nn
import torch.nn.functional as F

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        y = x.sum(dim=-1)
        if len(CALLS) > 16:
            x.zero_()
            y.zero_()
        return y
