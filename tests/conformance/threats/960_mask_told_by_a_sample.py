# expect: mismatch values
# problem: given_causal_mask
# Looks at 64 places of the mask to tell whether it is the causal one.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, q, k, v, mask):
        places = torch.arange(8) * (len(mask) - 1) // 7
        if torch.equal(mask[places[:, None], places], places[:, None] >= places):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True).contiguous()
        scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
        return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ v
