# expect: mismatch values | mismatch non_finite
# problem: conditioned_block
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """The same image as before: the same result, whatever the condition is."""
    def __init__(self, channels, cond):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.film = nn.Linear(cond, 2 * channels)
        self.x = self.y = None
    def forward(self, x, c):
        if self.x is not None and x.shape == self.x.shape and torch.equal(x, self.x) and bool(x.any()):
            return self.y.clone()
        scale, shift = self.film(c)[:, :, None, None].chunk(2, 1)
        y = F.silu(self.conv(x) * (1 + scale) + shift)
        self.x, self.y = x.clone(), y.clone()
        return y
