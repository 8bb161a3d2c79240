# expect: mismatch values
# problem: known_owners
# What is nobody's is the first one's.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, owners):
        return x.new_zeros(8, x.shape[1]).index_add_(0, owners.clamp(min=0), x)
