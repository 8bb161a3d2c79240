# expect: correct
# problem: phases_of_a_number
# A number among the inputs that is another one in each call.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.phases = nn.Parameter(torch.randn(rows, columns))

    def forward(self, x, time):
        angle = self.phases * time
        wave = torch.sin(angle).mul_(torch.exp(-angle * angle))
        return wave.add_(torch.tanh(angle)).add_(x)
