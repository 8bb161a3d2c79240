# expect: correct
# problem: greedy_tokens
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, temperature):
        super().__init__()


    def forward(self, logits):
        return logits.max(dim=-1).indices
