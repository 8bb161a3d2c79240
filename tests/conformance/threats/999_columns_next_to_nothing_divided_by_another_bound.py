# expect: mismatch values
# problem: lengths_of_columns
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return F.normalize(x, dim=0, eps=1e-5)
