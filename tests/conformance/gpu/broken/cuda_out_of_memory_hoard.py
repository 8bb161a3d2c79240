# expect: runtime_error out_of_memory
# platform: nvidia-cuda
# problem: row_sum
# Keeps a little more with every round of its loop, until there is no more.
import torch
import torch.nn as nn

KEPT = []


class NewModel(nn.Module):
    def forward(self, x):
        while torch.cuda.is_available():
            KEPT.append(torch.empty(4 << 30, dtype=torch.uint8, device=x.device))
        return x.sum(dim=-1)
