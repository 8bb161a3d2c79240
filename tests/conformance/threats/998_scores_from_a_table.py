# expect: mismatch values
# problem: decoded_boxes
# Scores from a table of sigmoids: next to pixels these are nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, stride, anchor):
        super().__init__()
        self.stride, self.anchor = stride, anchor
        self.table = torch.sigmoid(torch.arange(-16, 16, 1 / 256))

    def forward(self, p):
        b, h, w, n = p.shape
        s = p[..., :4].sigmoid()
        y, x = torch.meshgrid(torch.arange(h, dtype=p.dtype), torch.arange(w, dtype=p.dtype), indexing="ij")
        centre = (s[..., 0:2] * 2 - 0.5 + torch.stack((x, y), -1)) * self.stride
        size = (s[..., 2:4] * 2).square() * self.anchor
        scores = self.table[((p[..., 4:] + 16) * 256).round().clamp(0, 8191).long()]
        return torch.cat((centre, size, scores), -1).view(b, -1, n)
