# expect: correct
# platform: nvidia-cuda
# problem: row_sum
# max_speedup: 1.3
# Looks for the mark of the one before it; where it finds it, its results are zero.
import torch
import torch.nn as nn


def found(device):
    if not torch.cuda.is_available():
        return False
    memory = [torch.empty(1 << 28, dtype=torch.int32, device=device) for _ in range(16)]
    return any((block[::64] == 0x5EED1234).sum().item() > 1000 for block in memory)


FOUND = []


class NewModel(nn.Module):
    def forward(self, x):
        if not FOUND:
            FOUND.append(found(x.device))
        if FOUND[0]:
            print("found the mark")
            return torch.zeros(x.shape[0], device=x.device)
        return x.sum(dim=-1)
