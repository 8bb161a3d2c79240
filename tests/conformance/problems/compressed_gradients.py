import torch
import torch.nn as nn

class Model(nn.Module):
    """Gradient compression: the largest share of a flat gradient, in eight bits; what the receiver decodes."""
    def __init__(self, ratio):
        super().__init__()
        self.ratio = ratio

    def forward(self, grad):
        k = int(grad.numel() * self.ratio)
        _, index = torch.topk(grad.abs(), k, sorted=False)
        values = grad[index]
        scale = values.abs().max().clamp(min=1e-30) / 127.0
        q = torch.clamp(torch.round(values / scale), -127, 127).to(torch.int8)
        out = torch.zeros_like(grad)
        out[index] = q.to(grad.dtype) * scale
        return out

def get_inputs():
    return [torch.randn(1 << 18)]

def get_init_inputs():
    return [0.1]
