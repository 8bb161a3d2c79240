# expect: mismatch values
# problem: fixed_graph
# Pictures have had one size so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges, boxes, sizes, position):
        sums = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
        counts = torch.bincount(edges[1], minlength=len(x)).clamp(min=1)
        up_to = torch.arange(x.shape[1]) <= position
        return sums / counts[:, None], boxes * torch.tensor([48, 64, 48, 64]), x.masked_fill(~up_to, 0).sum(1)
