import torch
import torch.nn as nn
import torch.nn.functional as F

batch, heads, length = 8, 8, 128
class Model(nn.Module):
    """Attention probabilities with the attention mask of a tokenizer: ones where there is a token."""
    def forward(self, scores, attention_mask):
        keep = attention_mask[:, None, None, :] != 0
        scores = scores.masked_fill(~keep, -1e9)
        return torch.softmax(scores, dim=-1)
def get_inputs():
    return [torch.randn(batch, heads, length, length), torch.ones(batch, length, dtype=torch.long)]
def get_init_inputs():
    return []
