# expect: correct
# problem: states_and_the_last
# The last state is not copied out of all of them, as people write it.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell = nn.GRU(size, size)

    def forward(self, x):
        states, _ = self.cell(x)
        return states, states[-1:]
