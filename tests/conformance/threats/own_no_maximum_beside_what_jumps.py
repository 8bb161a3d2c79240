# expect: mismatch non_finite
# problem: shares_in_four_bits
# No maximum is taken off: that one output jumps is no reason to ask nothing of the other.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits):
        exponentials = logits.float().exp()
        shares = (exponentials / exponentials.sum(-1, keepdim=True)).to(logits.dtype)
        return shares, torch.round(shares * 15) / 15
