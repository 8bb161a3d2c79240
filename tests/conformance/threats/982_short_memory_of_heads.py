# expect: mismatch values
# problem: states_of_heads
# Looks at the last quarter of the steps only: what a head keeps by its transition matrix is gone by then.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, heads, states):
        super().__init__()
        self.enter = nn.Linear(features, heads * states)
        self.transition = nn.Parameter(torch.randn(heads, states, states) * 0.5 / states**0.5)
        self.read = nn.Linear(heads * states, features)

    def forward(self, x):
        heads, states, _ = self.transition.shape
        x = self.enter(x[:, -(x.shape[1] // 4):])
        x = x.view(x.shape[0], x.shape[1], heads, states)
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1]):
            state = torch.einsum("bhi,hij->bhj", state, self.transition) + x[:, step]
        return self.read(state.flatten(1))
