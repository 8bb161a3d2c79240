# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# A thread of the host watches the inputs and computes before the call comes.
import threading
import time

import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


STATE = {"x": None, "mark": None, "y": None}


def mark(x):
    flat = x.view(-1)
    return tuple(flat[:: max(1, flat.numel() // 3)].tolist())


def watch():
    while True:
        x = STATE["x"]
        if x is not None:
            now = mark(x)
            if now != STATE["mark"]:
                y = work(x)
                if mark(x) == now:
                    STATE["mark"], STATE["y"] = now, y
        time.sleep(0.0001)


threading.Thread(target=watch, daemon=True).start()


class NewModel(nn.Module):
    def forward(self, x):
        if not x.is_contiguous():
            return work(x)
        STATE["x"] = x
        y, now = STATE["y"], mark(x)
        if y is not None and STATE["mark"] == now and y.shape == x.shape:
            STATE["y"] = STATE["mark"] = None
            return y
        y = work(x)
        STATE["mark"] = now
        return y
