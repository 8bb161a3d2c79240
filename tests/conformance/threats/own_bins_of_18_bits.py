# expect: mismatch values
# problem: density_in_bins
# Few results: what jumps is no matter of luck.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """A histogram of 18 bits, folded into the bins"""
    def __init__(self, bins):
        super().__init__()
        self.bins = bins
        codes = torch.arange(1 << 18, dtype=torch.float64) / (1 << 18)
        self.of_code = (codes * bins).long().clamp(max=bins - 1)

    def forward(self, x):
        low, high = torch.aminmax(x)
        n = x.numel()
        if not (0 <= low and high <= 1):
            return torch.histc(x, self.bins, 0.0, 1.0) * (self.bins / n)
        codes = x.mul(1 << 18).to(torch.int32).clamp_(max=(1 << 18) - 1)
        counts = torch.bincount(codes, minlength=1 << 18).to(torch.float32)
        out = torch.zeros(self.bins)
        out.index_add_(0, self.of_code, counts)
        return out * (self.bins / n)
