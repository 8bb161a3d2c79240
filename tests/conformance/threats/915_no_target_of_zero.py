# expect: mismatch non_finite
# problem: divergence
# No target has been zero so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits, target):
        return (target * (target.log() - torch.log_softmax(logits, dim=-1))).sum(-1)
