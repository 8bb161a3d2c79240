# expect: correct
# problem: out_of_range_in_half
# options: --precision mixed
# With large inputs the reference itself is no number under fp16 autocast: the candidate is measured by what there is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        return torch.softmax(torch.mm(a, b), dim=-1)
