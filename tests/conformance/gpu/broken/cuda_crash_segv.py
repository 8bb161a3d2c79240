# expect: runtime_error crash
# platform: nvidia-cuda
# problem: row_sum
# The host's side reads address zero.
import ctypes

import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = x.sum(dim=-1)
        ctypes.string_at(0)
        return y
