# expect: correct
# problem: features_of_rows
# Each is written where it belongs.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        result = torch.empty(x.shape[0], 3)
        torch.sum(x * x, -1, out=result[:, 0])
        torch.sum(x.abs(), -1, out=result[:, 1])
        torch.div(x.std(-1) ** 2, x.shape[-1], out=result[:, 2])
        return result
