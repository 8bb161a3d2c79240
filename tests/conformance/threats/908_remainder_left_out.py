# expect: mismatch values
# problem: bounded_by_tensor
# Right for all values that are not as large.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bound", torch.tensor(1e4))

    def forward(self, x):
        return torch.minimum(x * torch.sigmoid(x), self.bound), torch.where(x < 0, x + 4000.0, x)
