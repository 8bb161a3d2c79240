# expect: correct
# problem: table_of_two_factors
# options: --weights live
# The table is made in every call, in another order of its rows: of weights that may change nothing can be kept.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, rank):
        super().__init__()
        self.left = nn.Parameter(torch.randn(features, rank) / 8)
        self.right = nn.Parameter(torch.randn(rank, features) / 8)

    def forward(self, x):
        return (torch.mm(self.right.t(), self.left.t()).tanh_() @ x.t()).t().contiguous()
