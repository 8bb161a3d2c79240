"""The pointwise part of an LSTM cell: four gates, new cell state, new hidden state.

Two outputs: hidden state and cell state.
"""

import torch
import torch.nn as nn

batch_size = 256
hidden = 1024


class Model(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(4 * hidden))

    def forward(self, gates, cell):
        enter, keep, update, show = (gates + self.bias).chunk(4, dim=1)
        cell = torch.sigmoid(keep) * cell + torch.sigmoid(enter) * torch.tanh(update)
        return torch.sigmoid(show) * torch.tanh(cell), cell


def get_inputs():
    return [torch.randn(batch_size, 4 * hidden), torch.randn(batch_size, hidden)]


def get_init_inputs():
    return [hidden]
