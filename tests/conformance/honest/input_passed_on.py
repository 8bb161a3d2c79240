# expect: correct
# problem: passed_on
# Returns an input where the reference does.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return 2 * torch.tanh(x), x
