# expect: mismatch values
# problem: buckets
# No value has been an edge so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges):
        return torch.bucketize(x, edges, right=True)
