# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: slow_chain
# A tensor subclass that computes when it is looked at.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        plain = [work(a.source) if isinstance(a, Lazy) else a for a in args]
        return function(*plain, **(kwargs or {}))


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x).as_subclass(Lazy)
        y.source = x
        return y
