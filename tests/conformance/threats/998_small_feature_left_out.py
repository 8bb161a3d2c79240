# expect: mismatch values
# problem: features_of_rows
# Next to the others the third is nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        energy = x.square().sum(-1)
        return torch.stack((energy, x.abs().sum(-1), torch.zeros_like(energy)), -1)
