# expect: correct
# platform: nvidia-cuda
# problem: row_sum
# Waits for the device itself: needless, not wrong.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = x.sum(dim=-1)
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return y
