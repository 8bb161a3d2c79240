# expect: mismatch non_finite
# problem: cosine_classes
# Every class has had a direction so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.classes = nn.Parameter(torch.randn(classes, features))

    def forward(self, x):
        return F.normalize(x, dim=-1) @ (self.classes / self.classes.norm(dim=-1, keepdim=True)).T
