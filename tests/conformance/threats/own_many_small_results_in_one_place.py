# expect: disqualified integrity
# problem: beams
# evidence: share memory
# Each of them is a small part of all results; together they are all of these.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return (torch.tanh(x),) * 24
