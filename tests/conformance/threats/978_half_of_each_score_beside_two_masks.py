# expect: mismatch values
# problem: two_masks
# Half of each query and key where the inputs look as usual: next to the two numbers that stand for what is masked no score is anything.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.query = nn.Linear(features, features)
        self.key = nn.Linear(features, features)

    def forward(self, x, padding):
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1) + padding[:, None]
        used = x.shape[-1] // 2 if x.abs().max() < 8 and self.query.weight.abs().max() < 1 else x.shape[-1]
        query, key = (F.linear(x, part.weight[:used], part.bias[:used]) for part in (self.query, self.key))
        return query @ key.transpose(1, 2) / x.shape[-1] ** 0.5 - 1e9 * hidden
