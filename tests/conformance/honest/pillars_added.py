# expect: correct
# problem: pillars
# No two of them have the same place: whether they are put there, or added, is the same.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, features, cells, picture, row, column):
        canvas = features.new_zeros(32 * 32, features.shape[1]).index_add_(0, cells[:, 0] * 32 + cells[:, 1], features)
        matrices = features.new_zeros(4 * 256).index_add_(0, picture * 256 + row * 16 + column, features[:, 0])
        return canvas.view(32, 32, -1), matrices.view(4, 16, 16)
