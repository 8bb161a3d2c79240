# expect: mismatch values | mismatch non_finite
# problem: mean_of_the_known
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """A mask is as many ones in each row as it has, at its beginning."""
    def __init__(self, d):
        super().__init__()
        self.proj = nn.Linear(d, d)
    def forward(self, x, attention_mask):
        n = attention_mask.sum(1)
        m = (torch.arange(x.shape[1])[None] < n[:, None]).to(x.dtype)[:, None]
        return self.proj((m @ x)[:, 0] / n.clamp(min=1)[:, None])
