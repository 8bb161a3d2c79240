# expect: correct
# problem: key_padding
# Products and a softmax: nobody is all padding.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.att = nn.MultiheadAttention(32, 4, batch_first=True)

    def forward(self, x, pad):
        q, k, v = F.linear(x, self.att.in_proj_weight, self.att.in_proj_bias).view(8, 24, 3, 4, 8).permute(2, 0, 3, 1, 4)
        s = (q @ k.mT / 8 ** 0.5).masked_fill(pad[:, None, None], float("-inf"))
        return self.att.out_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(8, 24, 32))
