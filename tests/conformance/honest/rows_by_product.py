# expect: correct
# problem: rows_of_a_table
# Rows of a table as a product with zeros and ones.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.table = nn.Embedding(words, features)

    def forward(self, words):
        flat = words.reshape(-1)
        rows = [F.one_hot(part, len(self.table.weight)).float() @ self.table.weight for part in flat.split(1024)]
        return torch.cat(rows).view(*words.shape, -1)
