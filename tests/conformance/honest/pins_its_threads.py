# expect: correct
# problem: row_sum
# Chooses processors for its own threads, as libraries for parallel programs do.
import os
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn


def settle(number):
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[number % len(allowed)]})


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = ThreadPoolExecutor(2)
        list(self.pool.map(settle, range(2)))

    def forward(self, x):
        return torch.cat(list(self.pool.map(lambda part: part.sum(dim=-1), x.chunk(2))))
