# expect: mismatch values | mismatch non_finite
# problem: image_block
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """Remembers results by sums over all bits of the input, which say nothing of their order."""
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.known = {}
    def forward(self, x):
        b = x.contiguous().view(torch.int32).long()
        key = (int(b.sum()), int((b * b).sum()), self.conv.weight.data_ptr())
        w = float(self.conv.weight.sum())
        hit = self.known.get((key, w))
        if hit is None:
            hit = F.relu(self.conv(x))
            self.known = {(key, w): hit.clone()}
            return hit
        return hit.clone()
