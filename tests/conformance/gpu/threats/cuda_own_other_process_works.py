# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash
# platform: nvidia-cuda
# problem: deep_chain
# Another process with the device's memory in common does the work after the return.
import base64
import pickle
import subprocess
import sys

import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


CODE = """
import base64, pickle, sys, torch
def open_shared(parts, shape):
    storage = torch.UntypedStorage._new_shared_cuda(*parts)
    return torch.empty(0, device="cuda").set_(torch.storage.TypedStorage(wrap_storage=storage, dtype=torch.float32), 0, shape)
shape, *both = pickle.loads(base64.b64decode(sys.stdin.readline()))
x, y = (open_shared(parts, shape) for parts in both)
print("ready", flush=True)
for line in sys.stdin:
    v = x
    for _ in range(8):
        v = v + 0.25 * torch.tanh(v) * torch.cos(v)
    y.copy_(v)
"""


class Worker:
    def __init__(self, x):
        self.x, self.ys, self.turn = torch.empty_like(x), torch.empty_like(x), 0
        torch.cuda.synchronize()
        parts = [tensor.untyped_storage()._share_cuda_() for tensor in (self.x, self.ys)]
        self.process = subprocess.Popen([sys.executable, "-c", CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(base64.b64encode(pickle.dumps((x.shape, *parts))).decode() + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def start(self, x):
        self.x.copy_(x)
        torch.cuda.synchronize()
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return self.ys.view(x.shape)


WORKERS = {}


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        if x.shape not in WORKERS:
            WORKERS[x.shape] = Worker(x)
        return WORKERS[x.shape].start(x)
