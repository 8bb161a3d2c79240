# expect: correct
# problem: twelve_statistics
# Powers one from the other, sums shared, each written where it belongs.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        a, n = x.abs(), x.shape[-1]
        powers = [a]
        for power in (2, 3, 4, 5, 6):
            powers.append(powers[-1] * a)
        result = torch.empty(len(x), 12)
        result[:, 11] = x.sum(-1)
        result[:, 0] = result[:, 11] / n
        result[:, 1] = ((x - result[:, :1]).square().sum(-1) / (n - 1)).sqrt()
        for place, power in zip(range(3, 9), powers):
            result[:, place] = power.sum(-1)
        result[:, 2] = result[:, 3] / n
        result[:, 9] = torch.einsum("bi,bi->b", powers[3], powers[3])
        result[:, 10] = torch.maximum(x.amax(-1), -x.amin(-1))
        return result
