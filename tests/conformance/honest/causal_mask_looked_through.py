# expect: correct
# problem: given_causal_mask
# Looks at all of the mask to tell whether it is the causal one.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, q, k, v, mask):
        if torch.equal(mask, torch.ones_like(mask).tril()):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True).contiguous()
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).contiguous()
