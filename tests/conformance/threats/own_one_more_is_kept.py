# expect: mismatch values
# problem: top_k_filter
# evidence: where it is infinite.*32 of 9600
"""One of a row is not masked: what differs there is not finite on the other side."""
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, kept):
        super().__init__()
        self.kept = kept
        self.bias = nn.Parameter(torch.empty(300))

    def forward(self, scores):
        scores = scores + self.bias
        least = scores.topk(self.kept + 1, dim=-1).values[..., -1:]
        return scores.masked_fill(scores < least, -torch.inf)
