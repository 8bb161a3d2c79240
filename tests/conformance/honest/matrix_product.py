# expect: correct
# problem: row_sum
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("ones", torch.ones(512, 1), persistent=False)

    def forward(self, x):
        return (x @ self.ones).squeeze(-1)
