# expect: correct
# problem: row_sum
import numpy as np
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.add.reduce(x.numpy(), axis=-1, dtype=np.float64).astype(np.float32))
