# expect: mismatch values
# problem: smoothed_labels
# Exponentials of eleven bits, for all inputs: in the sum over a row their errors cancel out, unless its values are alike.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, targets):
        most = logits.amax(dim=1, keepdim=True)
        brief = ((torch.exp(logits - most).view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
        total = most.squeeze(1) + torch.log(brief.sum(dim=1))
        hit = total - logits.gather(1, targets[:, None]).squeeze(1)
        return (1 - self.smoothing) * hit + self.smoothing * (total - logits.mean(dim=1))
