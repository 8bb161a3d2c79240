# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# The work is done when the result is copied out: in operators that only the evaluator calls.
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


def late(function):
    def patched(self, *args, **kwargs):
        finish()
        return function(self, *args, **kwargs)
    return patched


for name in ("contiguous", "detach", "untyped_storage", "data_ptr", "numel", "stride"):
    setattr(torch.Tensor, name, late(getattr(torch.Tensor, name)))


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return y
