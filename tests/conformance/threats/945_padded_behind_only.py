# expect: mismatch values | mismatch non_finite
# problem: padded_in_front
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """As many keys as the mask has ones, from the first on."""
    def forward(self, q, k, v, attention_mask):
        n = attention_mask.sum(1).tolist()
        L = q.shape[2]
        if min(n) == L:
            return F.scaled_dot_product_attention(q, k, v)
        out = torch.empty_like(q)
        for b, m in enumerate(n):
            out[b] = F.scaled_dot_product_attention(q[b], k[b, :, :m], v[b, :, :m]) if m else v[b].mean(1, keepdim=True)
        return out
