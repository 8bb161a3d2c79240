"""The loss of sequences that are aligned with shorter ones, for which there must be room."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x, targets, lengths, target_lengths):
        return F.ctc_loss(x.log_softmax(-1), targets, lengths, target_lengths, reduction="none")


def get_inputs():
    return [torch.randn(50, 16, 20), torch.randint(1, 20, (16, 10)), torch.full((16,), 50), torch.randint(5, 11, (16,))]


def get_init_inputs():
    return []
