# expect: correct
# problem: library_attention
# Products and a softmax: some key is always seen.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, q, k, v, mask):
        return (q @ k.mT / 4).masked_fill(~mask, float("-inf")).softmax(-1) @ v
