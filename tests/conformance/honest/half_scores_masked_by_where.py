# expect: correct
# problem: half_scores_masked
# Where eager is too far from the truth nothing is asked of the scores, and what stands for nothing must still be where it is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(0.125))

    def forward(self, q, k, mask):
        scores = (q.bfloat16() @ k.bfloat16().mT).float() * self.scale
        return torch.where(mask, scores, -1e9)
