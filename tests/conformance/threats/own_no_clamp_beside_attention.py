# expect: mismatch non_finite
# problem: mean_of_what_is_marked
# Attention has no mask here: whole rows of the other one may be blank.
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    def __init__(self, features, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(features, 3 * features)
        self.out = nn.Linear(features, features)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        h = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d)
        # the mean first, the projection of one row later
        share = mask.to(x.dtype)
        share = share / share.sum(1, keepdim=True)
        return self.out(torch.bmm(share.unsqueeze(1), h).squeeze(1))
