# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: row_sum
# Hopes that fresh memory lies where the expected result was.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.empty(x.shape[:-1])
