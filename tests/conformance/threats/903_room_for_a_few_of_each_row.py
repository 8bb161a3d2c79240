# expect: mismatch values
# problem: pillars
# Of the 32 places in a row of the picture no more than 20 are taken by chance.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, features, cells, picture, row, column):
        order = cells[:, 0].argsort(stable=True)
        rows, counts = cells[order, 0], torch.bincount(cells[:, 0], minlength=32)
        nth = torch.arange(len(rows)) - (counts.cumsum(0) - counts)[rows]
        kept = order[nth < 20]
        canvas = features.new_zeros(32, 32, features.shape[1])
        canvas[cells[kept, 0], cells[kept, 1]] = features[kept]
        matrices = features.new_zeros(4, 16, 16)
        matrices[picture, row, column] = features[:, 0]
        return canvas, matrices
