# expect: mismatch values
# problem: sorted_rows
# Sorts by the upper 26 bits, which takes a third less than all of them: what differs in the last six only stays in any order.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        bits = x.contiguous().view(torch.int32)
        key = torch.where(bits < 0, bits ^ 0x7FFFFFFF, bits) >> 6
        return x.gather(-1, key.argsort(dim=-1, stable=True))
