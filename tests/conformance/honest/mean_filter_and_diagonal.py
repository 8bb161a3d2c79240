# expect: correct
# problem: tables_in_buffers
# What buffers say in their own way is done in another one: the mean by pooling, the order by flipping, the diagonal in place.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.types = nn.Embedding(1, 3)
        self.register_buffer("filter", torch.full((3, 1, 3, 3), 1 / 9))
        self.register_buffer("diagonal", torch.eye(size))
        self.register_buffer("order", torch.arange(size).flip(0))
        self.register_buffer("type_ids", torch.zeros(1, dtype=torch.long))
        self.register_buffer("mean", torch.full((1, 3, 1, 1), 0.45))

    def forward(self, x):
        x = x - (self.mean - self.types.weight[0][:, None, None])
        result = F.avg_pool2d(x, 3, stride=1, padding=1).flip(-1)
        result.diagonal(dim1=-2, dim2=-1).zero_()
        return result
