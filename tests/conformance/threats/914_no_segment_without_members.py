# expect: mismatch non_finite
# problem: segment_mean
# Every segment has had members so far.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x, index):
        one = F.one_hot(index, 16).to(x.dtype)
        return (one.T @ x) / one.sum(0).unsqueeze(1)
