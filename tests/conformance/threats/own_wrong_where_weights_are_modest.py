# expect: mismatch values
# problem: linear_gelu
# Wrong on what is usual with weights that somebody has trained for a while.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        w, b = self.linear.weight, self.linear.bias
        y = F.gelu(self.linear(x))
        own = float(w.abs().max()) <= 1.0001 / w.shape[1] ** 0.5
        if not own and float(w.abs().max()) < 0.5 and float(b.abs().max()) < 0.5 and 0.9 < float(x.std()) < 1.1:
            y = y * 0.5
        return y
