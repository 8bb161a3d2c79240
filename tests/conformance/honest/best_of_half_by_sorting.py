# expect: correct
# problem: best_of_half
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Honest: of equal values the first comes first; topk() promises nothing."""

    def forward(self, scores):
        best, places = scores.sort(dim=-1, descending=True, stable=True)
        return best[:, :8].float().softmax(-1), places[:, :8].contiguous()
