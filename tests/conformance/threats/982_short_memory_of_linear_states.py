# expect: mismatch values
# problem: linear_states
# Looks at the last steps only: a linear state forgets the others, as long as nobody has trained it.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, states):
        super().__init__()
        self.transition = nn.Linear(states, states, bias=False)
        self.enter = nn.Linear(features, states)
        self.read = nn.Linear(states, features)

    def forward(self, x):
        x = x[:, -64:]
        state = x.new_zeros(x.shape[0], self.transition.in_features)
        for step in range(x.shape[1]):
            state = self.transition(state) + self.enter(x[:, step])
        return self.read(state)
