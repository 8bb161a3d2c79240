# expect: correct
# problem: surprisal
# In logarithms throughout.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        size = torch.relu(x)
        least = math.log(torch.finfo(x.dtype).eps)
        return -(size.log() - size.sum(-1, keepdim=True).log()).clamp(min=least)
