# expect: mismatch values
# problem: surprisal
# Between the bound of single precision and that of double.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        shares = torch.relu(x)
        shares = shares / shares.sum(-1, keepdim=True)
        return -shares.clamp(min=1e-10).log()
