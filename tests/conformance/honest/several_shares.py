# expect: correct
# problem: several_shares
# Sums are products with ones.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, z):
        rows, columns = torch.ones(x.shape[0]), torch.ones(x.shape[1])
        groups, products = z.view(z.shape[0], 8, -1), x * z
        means = groups @ torch.full((groups.shape[2],), 1 / groups.shape[2])
        return (x / (x @ columns)[:, None], x / ((rows @ x) / x.shape[0]), (groups / means[..., None]).view_as(z), z / (rows @ z),
                products / (products @ columns)[:, None])
