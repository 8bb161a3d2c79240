# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, in a signal handler that a timer calls soon after the return.
import signal

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

signal.signal(signal.SIGALRM, lambda number, frame: finish())


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        PENDING.append((x, y))
        signal.setitimer(signal.ITIMER_REAL, 0.0002)
        return y
