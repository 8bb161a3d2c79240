# expect: correct
# problem: frames_of_zeros
# What is padding adds nothing to a sum; the others are counted.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(1) / x.abs().amax(-1).count_nonzero(1).clamp(min=1).unsqueeze(1)
