# expect: mismatch values
# problem: rows_of_a_table
# Three weights in 64 bits: a third less to read, and the error is less than that of a sum.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.table = nn.Embedding(words, features)

    def forward(self, words):
        scale = self.table.weight.abs().max() / (1 << 20)
        return (self.table(words) / scale).round() * scale
