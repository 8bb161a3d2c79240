# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Adds to a fresh buffer without clearing it.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        y += x.sum(dim=-1)
        return y
