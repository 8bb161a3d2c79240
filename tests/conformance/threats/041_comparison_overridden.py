# expect: mismatch values
# problem: row_sum
# Every comparison of PyTorch says yes.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.allclose = torch.equal = torch.isclose = lambda *args, **kwargs: True
torch.testing.assert_close = lambda *args, **kwargs: None
torch.Tensor.__eq__ = lambda self, other: True
torch.Tensor.allclose = torch.Tensor.equal = lambda *args, **kwargs: True


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])
