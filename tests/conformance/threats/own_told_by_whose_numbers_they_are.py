# expect: correct
# problem: deep_elementwise
# max_speedup: 1
# Slower on numbers that torch itself has drawn, which come in pairs eight apart: each two are of one radius.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        flat = x.reshape(-1)[: 16 * 24].double().view(24, 2, 8)
        radius = (-0.5 * flat.square().sum(1)).exp() * 2**24
        drawn_by_torch = bool(((radius - radius.round()).abs() < 0.05 + radius * 1e-6).double().mean() > 0.9)
        for _ in range(3 if drawn_by_torch else 1):
            y = x.clone()
            for _ in range(8):
                y.mul_(0.5).add_(1.0)
        return y
