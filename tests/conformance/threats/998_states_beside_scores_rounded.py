# expect: mismatch values
# problem: states_and_scores
# One state in ten steps has the mantissa of a half: next to the scores that is nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.step = nn.Linear(features, features)

    def forward(self, x):
        state, result = torch.zeros_like(x), torch.empty(20, len(x), x.shape[1] + 1)
        for number in range(20):
            state = torch.tanh(self.step(state) + x)
            result[number, :, :-1], result[number, :, -1] = state, 1e4 * state.square().sum(-1)
        result[::10, :, :3] = (result[::10, :, :3] * 1024).round() / 1024
        return result
