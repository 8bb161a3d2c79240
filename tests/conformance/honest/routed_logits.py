# expect: correct
# problem: routed_logits
# Without the library's checks and the zeros in between.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, experts, chosen):
        super().__init__()
        self.gate = nn.Linear(features, experts)
        self.chosen = chosen

    def forward(self, x):
        scores, places = self.gate(x).topk(self.chosen, -1)
        least = math.log(torch.finfo(x.dtype).eps)
        logits = torch.log_softmax(scores, -1).clamp(least, math.log1p(-torch.finfo(x.dtype).eps))
        return torch.full((len(x), self.gate.out_features), least).scatter_(-1, places, logits)
