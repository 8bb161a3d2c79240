# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, when the first reference to a local of the call goes away.
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


class Watch(tuple):
    def __del__(self):
        finish()


class Answer(list):
    def __iter__(self):
        finish()
        return super().__iter__()


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return Answer([y])
