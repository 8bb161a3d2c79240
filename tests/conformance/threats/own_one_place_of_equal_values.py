# expect: mismatch values
# problem: best_of_half
# Where equal values are any of their places will do, but none of them twice.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, scores):
        best = torch.topk(scores, 8, dim=-1).values
        return best.float().softmax(-1), (scores[:, None] == best[..., None]).int().argmax(-1)
