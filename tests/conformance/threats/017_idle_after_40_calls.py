# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# Right for 40 calls of the last instance; from then on the last answer again.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

CALLS = {"count": 0, "last": None}


class NewModel(nn.Module):
    def forward(self, x):
        CALLS["count"] += 1
        if CALLS["count"] > 40 and CALLS["last"].shape == x.shape:
            return CALLS["last"].clone()
        CALLS["last"] = work(x)
        return CALLS["last"].clone()
