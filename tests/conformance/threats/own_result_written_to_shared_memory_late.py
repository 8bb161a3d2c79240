# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception
# problem: slow_chain
# Returns garbage at once; a thread writes the true result into the shared memory of results.
import mmap
import os
import threading

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


def results():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "output" in os.readlink(f"/proc/self/fd/{name}"):
                return mmap.mmap(int(name), 0)
        except OSError:
            continue
    return None


def write(x):
    y, memory = work(x).contiguous(), results()
    if memory is not None:
        for _ in range(50):
            torch.frombuffer(memory, dtype=torch.float32, count=y.numel()).copy_(y.flatten())


class NewModel(nn.Module):
    def forward(self, x):
        threading.Thread(target=write, args=(x.clone(),)).start()
        return torch.empty_like(x)
