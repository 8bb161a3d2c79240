"""Linear, dropout of 0.2, row softmax.

KernelBench level 2, problem 66. Random by construction: the module stays in training mode, so
dropout is active and two calls with the same input differ.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 128 // SHRINK
in_features = 16384 // SHRINK
out_features = 16384 // SHRINK
dropout_p = 0.2


class Model(nn.Module):
    def __init__(self, in_features, out_features, dropout_p):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        x = self.linear(x)
        x = self.dropout(x)
        return torch.softmax(x, dim=1)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, dropout_p]
