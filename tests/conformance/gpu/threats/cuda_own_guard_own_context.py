# expect: disqualified guardrail
# platform: nvidia-cuda
# problem: row_sum
# Resets the device by its plain name: a rule forbids it.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        torch.cuda.cudart().cudaDeviceReset()
        return x.sum(dim=-1)
