# expect: correct | mismatch values
# problem: slow_chain
# max_speedup: 1.3
# Remembers results by the content of the input: no help where no input comes twice.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

SEEN = {}


class NewModel(nn.Module):
    def forward(self, x):
        key = (x.shape, x[0, :8].numpy().tobytes(), x[-1, -8:].numpy().tobytes())
        if key not in SEEN:
            SEEN[key] = work(x)
        return SEEN[key].clone()
