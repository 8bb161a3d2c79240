# expect: mismatch non_finite
# problem: shares_in_sixteen_steps
# No maximum is taken off. Where values are far eager's own results jump from one step to the next, and which of them it should be cannot
# be told: but that they are numbers can.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, logits):
        exponentials = logits.float().exp()
        shares = (exponentials / exponentials.sum(-1, keepdim=True)).to(logits.dtype)
        return torch.round(shares * 15) / 15
