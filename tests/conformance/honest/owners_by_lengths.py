# expect: correct
# problem: sums_by_lengths
# Every row is added to the part whose it is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, lengths):
        owners = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        return x.new_zeros(len(lengths), x.shape[1]).index_add_(0, owners, x)
