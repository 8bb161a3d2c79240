# expect: correct
# problem: shares_in_four_bits
# By hand, with a maximum taken off.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits):
        wide = logits.float()
        exponentials = (wide - wide.amax(-1, keepdim=True)).exp_()
        shares = (exponentials / exponentials.sum(-1, keepdim=True)).to(logits.dtype)
        return shares, torch.round(shares * 15) / 15
