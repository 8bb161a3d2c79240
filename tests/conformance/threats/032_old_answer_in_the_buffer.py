# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# problem: row_sum
# Returns what lies in the shared memory of results, and of inputs beyond the input: perhaps an old answer.
import mmap
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def shared(word, count):
    for name in os.listdir("/proc/self/fd"):
        try:
            if word in os.readlink(f"/proc/self/fd/{name}"):
                memory = mmap.mmap(int(name), 0)
                return torch.frombuffer(memory, dtype=torch.float32, count=count).clone()
        except OSError:
            continue
    return torch.zeros(count)


class NewModel(nn.Module):
    def forward(self, x):
        return shared("output", x.shape[0])
