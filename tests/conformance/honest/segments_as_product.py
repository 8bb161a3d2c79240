# expect: correct
# problem: segment_mean
# As the product of a matrix of zeros and ones.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x, index):
        one = F.one_hot(index, 16).to(x.dtype)
        return (one.T @ x) / one.sum(0).clamp(min=1).unsqueeze(1)
