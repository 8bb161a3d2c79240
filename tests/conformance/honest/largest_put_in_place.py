# expect: correct
# problem: masked_logits
# Puts the largest few into a result that is masked.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, words, kept):
        super().__init__()
        self.head = nn.Linear(features, words)
        self.kept = kept

    def forward(self, x):
        half = x.shape[1] // 2
        weight = self.head.weight.t()
        logits = x[:, :half] @ weight[:half] + (x[:, half:] @ weight[half:] + self.head.bias)
        values, indices = logits.topk(self.kept, dim=-1)
        return torch.full_like(logits, torch.finfo(logits.dtype).min).scatter_(1, indices, values)
