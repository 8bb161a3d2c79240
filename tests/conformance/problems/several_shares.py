"""Shares of rows, columns and groups whose sums nearly cancel out now and then: another order of a sum gives other ones."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, z):
        groups = z.view(z.shape[0], 8, -1)
        products = x * z
        return (x / x.sum(1, keepdim=True), x / x.mean(0), (groups / groups.mean(2, keepdim=True)).view_as(z), z / z.sum(0),
                products / products.sum(1, keepdim=True))


def get_inputs():
    return [torch.randn(256, 512), torch.randn(256, 512)]


def get_init_inputs():
    return []
