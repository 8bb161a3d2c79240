# expect: correct
# platform: nvidia-cuda
# problem: padding_for_a_gpu
# What is not padding is computed where it belongs; all of it is written in the call.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], x.shape[1] + 8188, x.shape[2], device=x.device)
        torch.add(1, x, alpha=2, out=y[:, : x.shape[1]])
        y[:, x.shape[1] :].zero_()
        return y
