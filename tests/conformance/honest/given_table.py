# expect: correct
# problem: given_table
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, x):
        return torch.mm(x, self.table).tanh_()
