# expect: correct | runtime_error exception | runtime_error out_of_memory
# problem: row_sum
# Writes until nothing more can be written, and leaves it there.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

for folder in (os.getcwd(), "/tmp", "/dev/shm"):
    try:
        with open(os.path.join(folder, "fill"), "wb", buffering=0) as file:
            for _ in range(4096):
                file.write(bytes(4 << 20))
    except OSError:
        pass


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1)
