# expect: correct
# platform: nvidia-cuda
# problem: row_sum
# max_speedup: 1.3
# Leaves a mark all over the device's memory before it goes.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        if torch.cuda.is_available():
            for _ in range(4):
                torch.full((1 << 28,), 0x5EED1234, dtype=torch.int32, device=x.device)
            torch.cuda.empty_cache()
        return x.sum(dim=-1)
