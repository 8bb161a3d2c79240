# expect: mismatch values
# problem: gated_pooling
# Looks at the last steps only: no gate has been open for long so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, gate):
        x, keep = x[:, -64:], torch.sigmoid(gate[:, -64:])
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1]):
            state = keep[:, step] * state + (1 - keep[:, step]) * x[:, step]
        return state
