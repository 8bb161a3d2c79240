# expect: mismatch values
# problem: recurrent
# Looks at the last steps only, where no weight is large: inputs can keep a gate open as well.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.lstm = nn.LSTM(features, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)
        self.modest = None

    def forward(self, x):
        if self.modest is None:
            self.modest = all(parameter.abs().max() < 1 for parameter in self.lstm.parameters())
        states, _ = self.lstm(x[:, -64:].contiguous() if self.modest else x)
        return self.out(states[:, -1])
