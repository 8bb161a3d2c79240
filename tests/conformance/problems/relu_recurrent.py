"""A recurrent layer with ReLU, of which the last output is classified."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, hidden, layers, classes):
        super().__init__()
        self.rnn = nn.RNN(features, hidden, layers, nonlinearity="relu", batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.fc(self.rnn(x)[0][:, -1])


def get_inputs():
    return [torch.randn(16, 256, 64)]


def get_init_inputs():
    return [64, 128, 2, 10]
