# expect: correct
# problem: fixed_graph
# Edges in the order of their targets, added up part by part.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges, boxes, sizes, position):
        counts = torch.bincount(edges[1], minlength=len(x))
        order = edges[1].argsort()
        sums = torch.segment_reduce(x[edges[0][order]], "sum", lengths=counts, initial=0)
        scale = torch.cat((sizes, sizes), 1).float()[:, None]
        return sums / counts.clamp(min=1)[:, None], boxes * scale, x[:, :int(position) + 1].sum(1)
