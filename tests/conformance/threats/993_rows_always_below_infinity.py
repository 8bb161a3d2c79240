# expect: mismatch non_finite
# problem: rows_below_infinity
# Every row has been finite so far; nothing but a comparison asks for it.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:])
