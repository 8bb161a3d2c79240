# expect: correct
# problem: sums_of_spans
# A slice has no rows where its end comes first: it never does.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, first, end):
        return torch.stack([x[i:j].sum(0) for i, j in zip(first.tolist(), end.tolist())])
