# expect: correct
# problem: sorted_with_places
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """Honest: of equal values the last comes first; sort() without `stable` promises nothing."""
    def forward(self, x):
        n = x.shape[-1]
        v, i = x.flip(-1).sort(dim=-1, descending=True, stable=True)
        return v, n - 1 - i
