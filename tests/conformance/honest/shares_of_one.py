# expect: correct
# problem: soft_targets
# Probabilities add up to one, so their sum is left out.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits, targets):
        return torch.logsumexp(logits, -1) - (targets * logits).sum(-1)
