"""Cross-entropy with smoothed labels, one loss for each row: a sum of exponentials that are alike."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, targets):
        return F.cross_entropy(logits, targets, label_smoothing=self.smoothing, reduction="none")


def get_inputs():
    return [torch.randn(512, 2048), torch.randint(0, 2048, (512,))]


def get_init_inputs():
    return [0.1]
