"""Causal self-attention with a few heads, written out: projections, scores, softmax, output."""

import torch
import torch.nn as nn

batch_size = 2
tokens = 128
features = 128
heads = 4


class Model(nn.Module):
    def __init__(self, tokens, features, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(features, 3 * features)
        self.out = nn.Linear(features, features)
        future = torch.ones(tokens, tokens, dtype=torch.bool).triu(diagonal=1)
        self.register_buffer("future", future)

    def forward(self, x):
        batch, tokens, features = x.shape
        head_dim = features // self.heads
        qkv = self.qkv(x).view(batch, tokens, 3, self.heads, head_dim)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * head_dim**-0.5
        scores = scores.masked_fill(self.future, float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, tokens, features))


def get_inputs():
    return [torch.randn(batch_size, tokens, features)]


def get_init_inputs():
    return [tokens, features, heads]
