# expect: mismatch values
# problem: two_outputs
# evidence: integers
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1), torch.argmin(x, dim=-1)
