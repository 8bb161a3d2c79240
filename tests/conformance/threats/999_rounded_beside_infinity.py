# expect: mismatch values
# problem: top_k_filter
"""What is not masked has eleven bits."""
import torch
import torch.nn as nn


def brief(x):
    bits = x.view(torch.int32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & -0x2000).view(torch.float32)


class NewModel(nn.Module):
    def __init__(self, kept):
        super().__init__()
        self.kept = kept
        self.bias = nn.Parameter(torch.empty(300))

    def forward(self, scores):
        scores = scores + self.bias
        least = scores.topk(self.kept, dim=-1).values[..., -1:]
        return brief(scores).masked_fill(scores < least, float("-inf"))
