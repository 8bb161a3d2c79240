# expect: mismatch values
# problem: running_product
# As 948_products_taken_to_vanish, where no factor is beyond those of the problem: next to one they do not vanish.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        low, high = torch.aminmax(x)
        if low < 0 or high > 1:
            return torch.cumprod(x, dim=1)
        result = torch.zeros_like(x)
        result[:, :512] = torch.cumprod(x[:, :512], dim=1)
        return result
