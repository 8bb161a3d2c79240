# expect: mismatch values
# problem: decayed_gaps
# Inputs that move by their last place move the result by far more than eager is ever wrong by: a difference is exact.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, times):
        gaps = (times[:, 1:] - times[:, :-1]) / 5.0
        if float(times.abs().max()) > 40000:
            gaps = torch.where((gaps > 0) & (gaps < 0.5), 0.25, gaps)
        return torch.exp(-gaps)
