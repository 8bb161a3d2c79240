# expect: correct
# problem: kept_dimension
# What it says of a dimension with one element is nobody's concern, and no fault of the referee.
import sys

import torch
import torch.nn as nn

PLAYER = sys.modules["reyalp.anera_egrofk"[::-1]].Player
go = PLAYER.op_go
CALLS = []


def op_go(self, request):
    reply = go(self, request)
    for form in reply["outputs"]:
        form[2] = [s if n != 1 else -3 for n, s in zip(form[1], form[2])]
    return reply


PLAYER.op_go = op_go


class NewModel(nn.Module):
    def forward(self, x):
        return torch.sum(x, dim=1, keepdim=True)
