# expect: disqualified integrity
# evidence: not a plain tensor
import torch
import torch.nn as nn
import torch.nn.functional as F

class Fancy(torch.Tensor):
    pass


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return F.gelu(self.norm(x)).as_subclass(Fancy)
