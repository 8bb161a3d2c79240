# expect: correct
# problem: sums_of_parts
# As a bag of rows each: every row is in one of them.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x, starts):
        return F.embedding_bag(torch.arange(len(x)), x, starts, mode="sum", include_last_offset=True)
