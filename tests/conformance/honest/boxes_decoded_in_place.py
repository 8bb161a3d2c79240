# expect: correct
# problem: decoded_boxes
# Each is written where it belongs, with one exponential for all.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, stride, anchor):
        super().__init__()
        self.stride, self.anchor = stride, anchor

    def forward(self, p):
        b, h, w, n = p.shape
        result = 1 / (1 + torch.exp(-p))
        result[..., 2:4].mul_(2).square_().mul_(self.anchor)
        result[..., 0:2].mul_(2 * self.stride).sub_(0.5 * self.stride)
        result[..., 0] += self.stride * torch.arange(w, dtype=p.dtype)
        result[..., 1] += self.stride * torch.arange(h, dtype=p.dtype)[:, None]
        return result.view(b, h * w, n)
