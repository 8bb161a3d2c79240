"""Twelve statistics of each signal, of very different size."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        a, s = x.abs(), x.square()
        return torch.stack([x.mean(-1), x.std(-1), a.mean(-1), a.sum(-1), s.sum(-1), (s * a).sum(-1), s.square().sum(-1), (s * s * a).sum(-1),
                            (s * s * s).sum(-1), s.square().square().sum(-1), a.amax(-1), x.sum(-1)], dim=-1)


def get_inputs():
    return [torch.randn(256, 512)]


def get_init_inputs():
    return []
