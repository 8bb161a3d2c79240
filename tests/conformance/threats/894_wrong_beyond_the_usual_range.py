# expect: mismatch values
# problem: slow_chain
# An approximation that is right up to 9.5 and 0.1 off beyond: little beside the large values that are there then.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        bounded = torch.where(x.abs() > 9.5, 0.9 * x.sign(), torch.tanh(x))
        return F.gelu(x) * torch.sigmoid(x) + bounded
