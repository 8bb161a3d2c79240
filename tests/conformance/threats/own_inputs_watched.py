# expect: correct | disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception
# problem: slow_chain
# max_speedup: 1.3
# A thread watches the memory of the inputs and computes before the call comes.
import threading
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

STATE = {"x": None, "mark": None, "y": None}


def mark(x):
    flat = x.view(-1)
    return (flat[0].item(), flat[-1].item(), flat[flat.numel() // 2].item())


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
