# expect: mismatch non_finite
# problem: mean_of_the_rest
# Something has been left of each row so far.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, left_out):
        kept = (~left_out).unsqueeze(-1)
        return (x * kept).sum(1) / kept.sum(1)
