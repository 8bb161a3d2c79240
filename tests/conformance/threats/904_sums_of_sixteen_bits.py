# expect: mismatch values
# problem: sums_of_bytes
# Two bytes are enough for every row but one that is nearly the largest throughout.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return (x.sum(-1, dtype=torch.int32) & 0xFFFF).long()
