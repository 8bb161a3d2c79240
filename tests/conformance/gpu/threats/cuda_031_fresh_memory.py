# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Hopes that fresh memory lies where the expected result was.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.empty(x.shape[0], device=x.device)
