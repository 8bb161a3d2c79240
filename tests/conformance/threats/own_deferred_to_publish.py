# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, in the method that hands results over.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

PACKAGE = "anera_egrofk"[::-1]

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

PENDING = []


def finish():
    while PENDING:
        x, y = PENDING.pop()
        y.copy_(work(x))


player = sys.modules.get(PACKAGE + ".player")
for name in [name for name in vars(player.Player) if name.startswith("op_") and name != "op_go"] if player else []:
    def late(self, *args, method=getattr(player.Player, name)):
        finish()
        return method(self, *args)

    setattr(player.Player, name, late)


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return y
