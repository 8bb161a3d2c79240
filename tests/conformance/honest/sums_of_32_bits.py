# expect: correct
# problem: sums_of_bytes
# As many bits as the largest sum has need of.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(-1, dtype=torch.int32).long()
