# expect: mismatch values
# problem: unit_rows_in_eight_bits
# A rounding that may go either way is no excuse for the output that it is made of, nor for rows that are next to nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = x / x.norm(dim=-1, keepdim=True).clamp(min=1e-11)
        return y, torch.round(y * 127).to(torch.int8)
