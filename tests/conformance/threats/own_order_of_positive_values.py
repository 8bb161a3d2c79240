# expect: mismatch values
# problem: order_of_scores
# Some values next to each other excuse their own places, not whole lines.
import numpy as np
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def forward(self, scores):
        # scores are not negative: their bits are in the same order as they are
        n = scores.shape[-1]
        keys = scores.contiguous().view(torch.int32).to(torch.int64).mul_(1 << 20).add_(torch.arange(n))
        a = keys.numpy()
        a.sort(axis=-1)
        return keys.bitwise_and_((1 << 20) - 1)
