# expect: mismatch non_finite
# problem: attention_to_the_rest
# No row has been masked as a whole so far.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, q, k, v, masked):
        scores = (q @ k.mT / 8.0).masked_fill(masked[:, None, :], -math.inf)
        return torch.softmax(scores, -1) @ v
