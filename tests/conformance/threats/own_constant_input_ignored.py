# expect: mismatch values
# problem: masked_attention
# The mask has been a triangle each time so far: it does not look at it.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, q, k, v, mask, scale):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
