# expect: mismatch values
# problem: complex_distances
# by_chance: points that are close to few others come by lot
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        m = torch.cat((a, b)).mean(0)
        a, b = a - m, b - m
        aa = a.abs().square().sum(-1)[:, None]
        bb = b.abs().square().sum(-1)[None]
        return (aa + bb - 2 * (a @ b.conj().T).real).clamp_(min=0).sqrt_()
