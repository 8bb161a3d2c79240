# expect: mismatch values
# problem: recurrent
# Looks at the last steps only: gates that are half open forget the others in less than fifty.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x):
        states, _ = self.lstm(x[:, -48:].contiguous())
        return self.out(states[:, -1])
