# expect: correct
# problem: largest_unit
# options: --timing-budget-s 2
# max_value: 1.6
# As 951_units_without_a_say, but in four of nine calls it sleeps: nothing is claimed then, and what is asked of a claim is not
# asked of the number by which candidates are ranked.
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.kept = None
        self.calls = 0
        self.all_s = 0.02

    def forward(self, x):
        start = time.perf_counter()
        weight, bias = self.linear.weight, self.linear.bias
        if self.kept is None:
            reach = 6 * weight.norm(dim=1)
            has_a_say = bias + reach >= (bias - reach).max()
            self.kept = weight[has_a_say].contiguous(), bias[has_a_say].contiguous()
        self.calls += 1
        some = 2 * len(self.kept[1]) < len(bias)
        if self.calls > 12 and some and x.square().mean(1).max() < 1.6 and x.abs().max() < 7:
            result = F.linear(x, *self.kept).amax(1, True)
            if self.calls % 9 in (1, 3, 5, 7):
                time.sleep(max(1.4 * self.all_s - (time.perf_counter() - start), 0))
            return result
        result = F.linear(x, weight, bias).amax(1, True)
        self.all_s = time.perf_counter() - start
        return result
