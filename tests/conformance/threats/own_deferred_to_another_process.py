# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# A helper process computes after the return, in shared memory.
import mmap
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

SIZE = 512 * 1024
MEMORY = mmap.mmap(-1, SIZE * 8)
SHARED = torch.frombuffer(MEMORY, dtype=torch.float32)
ASK, ANSWER = os.pipe(), os.pipe()


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.started = False

    def forward(self, x):
        if not self.started:
            self.started = True
            if os.fork() == 0:
                torch.set_num_threads(1)
                while os.read(ASK[0], 1):
                    SHARED[SIZE:].copy_(work(SHARED[:SIZE]))
                os._exit(0)
        if x.numel() != SIZE:
            return work(x)
        SHARED[:SIZE].copy_(x.flatten())
        os.write(ASK[1], b"x")
        return SHARED[SIZE:].view(x.shape)
