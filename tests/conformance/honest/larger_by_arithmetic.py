# expect: correct
# problem: pooled_and_bounded
# The larger of two as half of their sum and distance, and bounds by distances: values that are chosen, but for their last places.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        bounded = 0.5 * ((x + 3).abs() - (x - 3).abs())
        left, right = bounded[:, ::2], bounded[:, 1::2]
        return 0.5 * (left + right + (left - right).abs())
