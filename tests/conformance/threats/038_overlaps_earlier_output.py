# expect: disqualified integrity
# problem: slow_chain
# One buffer for all results, which begin now here and now a little later in it.
import torch
import torch.nn as nn
import torch.nn.functional as F

BUFFERS, CALLS = {}, []


class NewModel(nn.Module):
    def forward(self, x):
        if x.numel() not in BUFFERS:
            BUFFERS[x.numel()] = torch.empty(x.numel() + 16)
        CALLS.append(1)
        y = BUFFERS[x.numel()][16 * (len(CALLS) % 2):][:x.numel()].view(x.shape)
        y.copy_(F.gelu(x) * torch.sigmoid(x) + torch.tanh(x))
        return y
