# expect: correct
# problem: linear_states
# Two steps of a linear state in one: the square of the transition, and what enters meanwhile.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, states):
        super().__init__()
        self.transition = nn.Linear(states, states, bias=False)
        self.enter = nn.Linear(features, states)
        self.read = nn.Linear(states, features)

    def forward(self, x):
        once = self.transition.weight.T
        x = self.enter(x)
        entered = torch.addmm(x[:, 1::2].flatten(0, 1), x[:, ::2].flatten(0, 1), once).view_as(x[:, ::2])
        twice = once @ once
        state = entered[:, 0]
        for step in range(1, entered.shape[1]):
            state = torch.addmm(entered[:, step], state, twice)
        return self.read(state)
