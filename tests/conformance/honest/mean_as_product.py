# expect: correct
# problem: mean_of_all
# Sums of rows as a matrix product.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return (x @ torch.ones(512)).mean() / 512
