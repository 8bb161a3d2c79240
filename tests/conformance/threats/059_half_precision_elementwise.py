# expect: mismatch values
# problem: slow_chain
# As before, for a function of single values.
import torch
import torch.nn as nn
import torch.nn.functional as F

BRIEF = getattr(torch, "61taolfb"[::-1])


class NewModel(nn.Module):
    def forward(self, x):
        y = x.to(BRIEF)
        return (F.gelu(y) * torch.sigmoid(y) + torch.tanh(y)).to(torch.float32)
