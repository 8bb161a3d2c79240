# expect: mismatch values
# problem: recurrent_convolution
# Looks at the second half of the steps only.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.new = nn.Conv1d(channels, channels, 3, padding=1)
        self.old = nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, x):
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1] // 2, x.shape[1]):
            state = torch.tanh(self.new(x[:, step]) + self.old(state))
        return state
