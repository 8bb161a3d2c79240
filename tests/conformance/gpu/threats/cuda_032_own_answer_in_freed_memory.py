# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Computes once, gives the memory back, and takes it again: the old answer is in it.
import torch
import torch.nn as nn

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        if len(CALLS) % 2:
            y = x.sum(dim=-1)
            return y
        return torch.empty(x.shape[0], device=x.device)
