# expect: correct
# problem: rounded_to_a_grid
# A few results are the next number of the grid, as some of the reference's own are.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, outputs, step):
        super().__init__()
        self.linear = nn.Linear(features, outputs)
        self.step = step

    def forward(self, x):
        half, weight = x.shape[1] // 2, self.linear.weight.t()
        y = self.linear.bias + x[:, half:] @ weight[half:] + x[:, :half] @ weight[:half]
        return (y * (1 / self.step)).round_().clamp_(-128, 127).mul_(self.step)
