# expect: correct
# problem: states_and_scores
# Each is written where it belongs, the scores at the end.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.step = nn.Linear(features, features)

    def forward(self, x):
        state, result = torch.zeros_like(x), torch.empty(20, len(x), x.shape[1] + 1)
        for number in range(20):
            state = torch.tanh(torch.addmm(x + self.step.bias, state, self.step.weight.t()))
            result[number, :, :-1] = state
        states = result[..., :-1]
        result[..., -1] = 1e4 * torch.einsum("sbi,sbi->sb", states, states)
        return result
