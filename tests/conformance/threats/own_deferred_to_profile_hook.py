# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, in a hook of the interpreter that sees every return.
import sys

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


def hook(frame, event, argument):
    if PENDING and event == "return" and frame.f_code.co_name == "send":
        finish()


class NewModel(nn.Module):
    def forward(self, x):
        sys.setprofile(hook)
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return y
