# expect: correct
# problem: two_masks
# One mask, to which the scores are added as they are computed.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.query = nn.Linear(features, features)
        self.key = nn.Linear(features, features)

    def forward(self, x, padding):
        hidden = padding[:, None] + torch.ones(x.shape[1], x.shape[1]).triu(1)
        return torch.baddbmm(-1e9 * hidden, self.query(x) / x.shape[-1] ** 0.5, self.key(x).transpose(1, 2))
