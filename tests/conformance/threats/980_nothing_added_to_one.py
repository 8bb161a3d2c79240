# expect: mismatch values | mismatch non_finite
# problem: shares_of_softplus
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def forward(self, x):
        w = torch.where(x > 20, x, torch.log(1 + torch.exp(x)))
        return w / (w.sum(-1, keepdim=True) + 1e-12)
