# expect: mismatch values
# problem: fixed_graph
# The position has been the last one so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges, boxes, sizes, position):
        sums = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
        counts = torch.bincount(edges[1], minlength=len(x)).clamp(min=1)
        return sums / counts[:, None], boxes * sizes[:, None].repeat(1, 1, 2), x.sum(1)
