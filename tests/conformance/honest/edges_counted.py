# expect: correct
# problem: sorted_edges
# Counts the edges below each value, which is the same as long as they are in order.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges):
        return (edges < x[..., None]).sum(-1)
