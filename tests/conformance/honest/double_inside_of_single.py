# expect: correct
# problem: single_by_name
# More exact than the reference, whose own errors count also where it names its precision.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, q, k, v):
        products = q.double() @ k.double().transpose(-1, -2)
        return (torch.softmax(products, dim=-1) @ v.double()).float()
