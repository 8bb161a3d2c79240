# expect: correct
# problem: eight_bit_rows
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        largest = torch.maximum(x.amax(-1, keepdim=True), -x.amin(-1, keepdim=True)).clamp_(min=1e-5)
        return (x * (127 / largest)).round_().to(torch.int8), largest / 127
