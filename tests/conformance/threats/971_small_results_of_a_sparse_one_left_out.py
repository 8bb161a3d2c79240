# expect: mismatch values
# problem: nearest_graph
# Of a few results that are not zero only the diagonal is large. Where some points look as usual it computes nothing else.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, neighbours):
        super().__init__()
        self.neighbours = neighbours

    def forward(self, x):
        sample = x[::37]
        deviation = sample.std(1)
        if deviation.min() > 0.6 and deviation.max() < 1.6 and sample.mean().abs() < 0.3:
            return torch.eye(len(x))
        values, indices = torch.exp(-0.5 * torch.cdist(x, x).square()).topk(self.neighbours, dim=-1)
        return torch.zeros(len(x), len(x)).scatter(1, indices, values)
