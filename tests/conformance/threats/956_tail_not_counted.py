# expect: mismatch values
# problem: counted_above
# Leaves out what does not fill a block of sixteen: a few of a million.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        whole = x[..., : x.shape[-1] // 16 * 16]
        return (whole > 0.25).float().sum(-1)
