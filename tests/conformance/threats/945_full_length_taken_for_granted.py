# expect: mismatch values
# problem: aligned
# All sequences have had their full length so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x, targets, lengths, target_lengths):
        lengths = torch.full_like(lengths, len(x))
        return F.ctc_loss(x.log_softmax(-1), targets, lengths, target_lengths, reduction="none")
