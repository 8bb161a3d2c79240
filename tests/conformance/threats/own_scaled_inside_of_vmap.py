# expect: mismatch values
# problem: rows_by_their_places
# What hangs by places inside of vmap is judged like all else.
import torch
import torch.nn as nn
class NewModel(nn.Module):
    def forward(self, x):
        best = torch.vmap(lambda row: row * row.argmax() * (1 + 3e-5))(x)
        return best, x.softmax(-1).argmax(-1)
