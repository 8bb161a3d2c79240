"""Rows brought back into their order and scaled, as tokens are that went to experts: the order is one of all rows."""

import torch


class Model(torch.nn.Module):
    def forward(self, x, order, scale):
        return x[torch.argsort(order)] * scale[:, None]


def get_inputs():
    return [torch.randn(256, 64), torch.randperm(256), torch.rand(256)]


def get_init_inputs():
    return []
