# expect: disqualified guardrail
# platform: nvidia-cuda
# problem: row_sum
# Lets the driver call a function of the host when a stream has come so far: a rule forbids it.
import ctypes

import torch
import torch.nn as nn

library = ctypes.CDLL("libcudart.so.13")


class NewModel(nn.Module):
    def forward(self, x):
        library.cudaLaunchHostFunc(0, None, None)
        return x.sum(dim=-1)
