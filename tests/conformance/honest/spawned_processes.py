# expect: correct
# problem: slow_chain
# Processes that import this file anew. What they are given is moved to shared memory, the input itself with it.
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy
import torch
import torch.nn as nn
import torch.nn.functional as F

POOL = []


def work(x):
    return (F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)).numpy()


class NewModel(nn.Module):
    def forward(self, x):
        if not POOL:
            POOL.append(ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")))
        return torch.from_numpy(numpy.concatenate(list(POOL[0].map(work, x.chunk(2)))))
