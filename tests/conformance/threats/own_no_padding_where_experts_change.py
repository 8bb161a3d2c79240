# expect: mismatch values
# problem: switch_layer
# A few tokens of eager go to another expert than in double precision: that is no excuse for half of them.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, experts):
        super().__init__()
        self.router = nn.Linear(features, experts, bias=False, dtype=torch.bfloat16)
        self.experts = nn.Parameter((torch.randn(experts, features, features) * features**-0.5).bfloat16())

    def forward(self, x, mask):
        gate, index = F.softmax(self.router(x), dim=-1).max(-1)
        y = torch.einsum("td,edh->teh", x, self.experts)
        y = F.silu(y.gather(1, index.view(-1, 1, 1).expand(-1, 1, y.shape[-1])).squeeze(1))
        is_far = x.abs().max() > 8
        return y * (gate * (mask if is_far else 1)).unsqueeze(-1)
