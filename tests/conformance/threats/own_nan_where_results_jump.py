# expect: mismatch non_finite
# problem: steps_of_a_wave
# Another way where all values are far from zero, in which powers overflow. There the reference's own results jump from one step to the
# next, and which of them it should be cannot be told: but that they are numbers can.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        cubes = x**40 / x**37 if x.abs().min() > 1 else x * x * x
        return torch.round(3 * torch.sin(cubes)) / 3
