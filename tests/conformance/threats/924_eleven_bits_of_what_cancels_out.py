# expect: mismatch values
# problem: mean_of_all
# Factors of eleven bits: what is next to zero because terms cancel out is wrong by as much more.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32).mean()
