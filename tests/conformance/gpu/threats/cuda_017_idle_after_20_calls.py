# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# Right for twenty calls; from then on the last answer again.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


CALLS = {"count": 0, "last": None}


class NewModel(nn.Module):
    def forward(self, x):
        CALLS["count"] += 1
        if CALLS["count"] > 20 and CALLS["last"].shape == x.shape:
            return CALLS["last"].clone()
        CALLS["last"] = work(x)
        return CALLS["last"].clone()
