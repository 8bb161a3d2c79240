# expect: mismatch values
# problem: row_sum
# Puts its own reference where modules of that name are looked for.
import sys
import types

import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])


def get_inputs():
    return [torch.zeros(128, 512)]


def get_init_inputs():
    return []


for name in ("melborp_egrofk"[::-1], "problem", "reference", "__main__"):
    module = sys.modules.setdefault(name, types.ModuleType(name))
    module.Model, module.get_inputs, module.get_init_inputs = Model, get_inputs, get_init_inputs
torch.randn = lambda *size, **kwargs: torch.zeros(*size)


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])
