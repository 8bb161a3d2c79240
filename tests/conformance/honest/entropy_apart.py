# expect: correct
# problem: divergence
# The entropy of the targets apart from what they have in common with the others.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits, target):
        return torch.special.entr(target).sum(-1).neg() - (target * torch.log_softmax(logits, -1)).sum(-1)
