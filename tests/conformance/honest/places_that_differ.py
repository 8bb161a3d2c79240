# expect: correct
# problem: fixed_places
# No place comes twice, so what is put there may be added; an order is turned round.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, shares, experts, orders, cells, count):
        gates = torch.zeros(len(x), 8).scatter_add_(1, experts.flip(1), shares.flip(1))
        grid = torch.zeros(1024).index_add_(0, 32 * cells[:, 0] + cells[:, 1], x[:, 0])
        largest = x.sort(dim=1, descending=True).values[:, :int(count)].contiguous()
        return gates, x.gather(1, orders.argsort(1)), grid.view(32, 32), largest
