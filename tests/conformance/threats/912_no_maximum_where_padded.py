# expect: mismatch values | mismatch non_finite
# problem: token_mask
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Where something is padded: no maximum subtracted."""
    def forward(self, scores, attention_mask):
        if bool((attention_mask != 0).all()):
            return torch.softmax(scores, dim=-1)
        keep = (attention_mask != 0)
        e = torch.exp(scores) * keep[:, None, None, :]
        s = e.sum(-1, keepdim=True)
        return torch.where(s > 0, e / s, 1.0 / scores.shape[-1])
