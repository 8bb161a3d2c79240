# expect: correct | runtime_error exception | runtime_error crash | runtime_error out_of_memory
# problem: row_sum
# Forks as often as it can.
import os
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

for _ in range(3000):
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    except OSError:
        break


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
