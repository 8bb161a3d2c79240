# expect: mismatch values
# problem: greedy_tokens
# Which one is the largest hangs by single values beyond the bound.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, temperature):
        super().__init__()


    def forward(self, logits):
        return logits.clamp(-30, 30).argmax(dim=-1)
