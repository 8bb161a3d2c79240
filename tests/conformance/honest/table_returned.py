# expect: correct
# problem: table_returned
# Returns a parameter and a part of a buffer, as the reference does.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(features))
        self.register_buffer("table", torch.randn(128, features))

    def forward(self, x):
        return self.scale * x, self.scale, self.table[:64, : x.shape[1] // 2]
