# expect: correct
# problem: row_sum
# options: --timing-budget-s 0.45
# Reads a number from a comment of its own: 1
import torch.nn as nn

SCALE = int(open(__file__).readlines()[3].split(":")[-1])


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) * SCALE
