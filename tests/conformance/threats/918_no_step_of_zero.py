# expect: mismatch values | mismatch non_finite
# problem: learned_steps
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, fin, fout):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(fout, fin) * 0.05)
        self.step = nn.Parameter(torch.rand(fout) * 0.02 + 0.01)
    def forward(self, x):
        s = self.step.abs()[:, None]
        q = (self.weight / s).round().clamp(-8, 7) * s
        return x @ q.t()
