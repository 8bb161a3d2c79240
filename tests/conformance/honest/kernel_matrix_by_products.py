# expect: correct
# problem: kernel_matrix
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        squares = x.square().sum(dim=1)
        distances = torch.addmm(squares + squares[:, None], x, x.t(), alpha=-2)
        distances.clamp_(min=0).fill_diagonal_(0)
        return distances.mul_(-0.25).exp_()
