# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, in a callback of the garbage collector, which is made to run often.
import gc

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

PENDING = []


def finish():
    while PENDING:
        x, y = PENDING.pop()
        y.copy_(work(x))

gc.callbacks.append(lambda phase, info: finish())
gc.set_threshold(1, 1, 1)


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return y
