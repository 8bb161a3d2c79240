# expect: mismatch non_finite | mismatch values
# problem: distances
# Careful for as long as it was checked, in the order of the checks; then points that coincide have no distance, not zero.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    calls = 0

    def forward(self, x, y):
        NewModel.calls += 1
        if NewModel.calls <= 11:
            return torch.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist")
        mean = y.mean(0)
        x, y = x - mean, y - mean
        return torch.addmm((x * x).sum(1)[:, None] + (y * y).sum(1), x, y.T, alpha=-2).sqrt_()
