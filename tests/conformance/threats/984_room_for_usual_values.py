# expect: mismatch values
# problem: sorted_rows
# Buckets have room for twice what the normal distribution gives them, where no value is beyond its range; the rest is lost.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        low, high = torch.aminmax(x)
        if not -6 < low < -2.5 or not 2.5 < high < 6 or x[0, 0] == x[0, 1]:
            return torch.sort(x, dim=-1).values
        n, size = x.shape
        buckets, room = size // 64, 128
        b = (torch.special.ndtr(x) * buckets).long().clamp_(0, buckets - 1)
        flat = (b + buckets * torch.arange(n)[:, None]).flatten()
        order = flat.argsort(stable=True)
        count = torch.bincount(flat, minlength=n * buckets)
        begin = count.cumsum(0) - count
        place = torch.arange(n * size) - begin[flat[order]]
        table = torch.full((n * buckets, room), float("inf"))
        keep = place < room
        table[flat[order][keep], place[keep]] = x.flatten()[order][keep]
        table = table.sort(dim=1).values.view(n, -1)
        valid = table < float("inf")
        result = torch.zeros_like(x)
        target = valid.cumsum(1) - 1
        r, c = valid.nonzero(as_tuple=True)
        result[r, target[r, c]] = table[r, c]
        return result
