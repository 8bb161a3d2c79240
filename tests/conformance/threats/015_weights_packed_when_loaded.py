# expect: mismatch values
# problem: linear_tail
# options: --weights live
# Packs the weights whenever a state is loaded: it does not see that they are changed in place.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.register_load_state_dict_post_hook(lambda module, keys: module.pack())

    def pack(self):
        self.packed = (self.linear.weight.detach().t().clone(), self.linear.bias.detach().clone())

    def forward(self, x):
        weight, bias = self.packed
        return torch.relu((x @ weight + bias) * self.scale) + x
