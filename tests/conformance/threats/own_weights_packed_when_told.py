# expect: mismatch values
# problem: linear_tail
# options: --weights live
# A parameter that hears when others write to it: the weights are packed then, and not looked at in any call.
import torch
import torch.nn as nn


class Loud(nn.Parameter):
    heard = True

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.heard = True
        return super().__torch_function__(function, types, args, kwargs or {})


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.linear.weight = Loud(self.linear.weight.detach())
        self.scale = scale

    def forward(self, x):
        if Loud.heard:
            with torch._C.DisableTorchFunctionSubclass():
                self.packed = self.linear.weight.detach().t().clone(), self.linear.bias.detach().clone()
            Loud.heard = False
        weight, bias = self.packed
        return torch.relu((x @ weight + bias) * self.scale) + x
