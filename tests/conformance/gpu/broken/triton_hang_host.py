# expect: runtime_error timeout
# platform: nvidia-triton
# problem: row_norm
# options: --call-limit-s 3 --time-limit-s 40
# The host's side never returns.
import torch
import torch.nn as nn
import triton


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        while triton.cdiv(x.numel(), 2):
            pass
