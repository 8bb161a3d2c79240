# expect: correct
# problem: known_owners
# In whichever order they come.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, owners):
        return x.new_zeros(9, x.shape[1]).index_add_(0, owners + 1, x)[1:]
