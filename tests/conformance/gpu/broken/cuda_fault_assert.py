# expect: runtime_error device_fault
# platform: nvidia-cuda
# problem: row_sum
# evidence: assert|out of bounds
# A device-side assertion of PyTorch's own: an index out of bounds.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        index = torch.full((x.shape[0], 1), x.shape[1] + 5, dtype=torch.int64, device=x.device)
        return torch.gather(x, 1, index)[:, 0]
