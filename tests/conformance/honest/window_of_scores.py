# expect: correct
# problem: window_scores
# Scales the scores in place of the vectors, and adds what masks them.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, size, window):
        super().__init__()
        distance = torch.arange(size)[:, None] - torch.arange(size)
        self.register_buffer("hidden", (distance < 0) | (distance >= window))

    def forward(self, q, k):
        q_length, k_length = (x.norm(dim=-1, keepdim=True).clamp(min=1e-12) for x in (q, k))
        scores = q @ k.transpose(-1, -2) / (q_length * k_length.transpose(-1, -2))
        return torch.where(self.hidden, scores - 1e9, scores)
