"""Cross-entropy with label smoothing, one loss per row; the targets are integers."""

import torch
import torch.nn as nn

rows = 1024
classes = 2048
smoothing = 0.1


class Model(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, targets):
        log_p = torch.log_softmax(logits, dim=1)
        hit = -log_p.gather(1, targets[:, None]).squeeze(1)
        spread = -log_p.mean(dim=1)
        return (1.0 - self.smoothing) * hit + self.smoothing * spread


def get_inputs():
    return [torch.randn(rows, classes), torch.randint(0, classes, (rows,))]


def get_init_inputs():
    return [smoothing]
