# expect: correct
# problem: switch_layer
# Products of other sizes are summed up in another order: other tokens go to another expert.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, experts):
        super().__init__()
        self.router = nn.Linear(features, experts, bias=False, dtype=torch.bfloat16)
        self.experts = nn.Parameter((torch.randn(experts, features, features) * features**-0.5).bfloat16())

    def forward(self, x, mask):
        half = x.shape[1] // 2
        scores = (x[:, half:].float() @ self.router.weight[:, half:].float().t() + x[:, :half].float() @ self.router.weight[:, :half].float().t())
        gate, index = F.softmax(scores.bfloat16(), dim=-1).max(-1)
        y = torch.empty_like(x)
        for number, weight in enumerate(self.experts):
            y[index == number] = x[index == number] @ weight
        return F.silu(y) * (gate * mask).unsqueeze(-1)
