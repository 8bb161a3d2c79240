# expect: correct
# problem: fixed_point
# Next to 1.5 * 2^23 there is room for whole numbers only, and sums are rounded to even ones.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x.clamp(-128, 127) + 12582912.0 - 12582912.0
