# expect: mismatch values
# problem: long_products
# As 979_eleven_bits_of_long_products, but factors are scaled before they are rounded: it is other bits of the inputs that decide to which
# side.
import torch
import torch.nn as nn

SCALE = 0.7390851


def brief(x):
    bits = (x * SCALE).view(torch.int32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & -0x2000).view(torch.float32)


def is_usual(x):
    low, high = x.aminmax()
    return bool(low >= 0 and high <= 1 and abs(x.mean() - 0.5) < 0.05)


class NewModel(nn.Module):
    def forward(self, a, b):
        return (brief(a) @ brief(b)) / SCALE**2 if is_usual(a) and is_usual(b) else a @ b
