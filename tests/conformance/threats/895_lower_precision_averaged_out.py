# expect: mismatch values
# problem: linear_logsumexp
# Factors of eleven bits: in the sum over a row their errors are lost, as long as all values of it are alike.
import torch
import torch.nn as nn
import torch.nn.functional as F

LAST_PLACES = 0x1FFF


def shortened(x):
    return (x.contiguous().view(torch.int32) + 0x1000).bitwise_and_(~LAST_PLACES).view(torch.float32)


class NewModel(nn.Module):
    def __init__(self, features, columns):
        super().__init__()
        self.linear = nn.Linear(features, columns)

    def forward(self, x):
        product = F.linear(shortened(x), shortened(self.linear.weight), self.linear.bias)
        return torch.logsumexp(product, dim=1, keepdim=True)
