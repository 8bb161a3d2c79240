# expect: mismatch values
# problem: fixed_graph
# The graph has been a ring so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges, boxes, sizes, position):
        up_to = torch.arange(x.shape[1]) <= position
        return (x.roll(1, 0) + x.roll(-1, 0)) / 2, boxes * sizes[:, None].repeat(1, 1, 2), x.masked_fill(~up_to, 0).sum(1)
