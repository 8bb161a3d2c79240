# expect: correct
# problem: row_sum
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        with ThreadPoolExecutor(2) as pool:
            return torch.cat(list(pool.map(lambda part: part.sum(dim=-1), x.chunk(4))))
