"""Known to the referee alone: a problem that writes down its seeds, inputs and results, and when it was at work.

Making inputs takes a while, so that there is a time between two calls of a player at which it must stand still; the
baseline takes a while, so that a candidate is faster or slower than it beyond doubt.
"""

import json
import os
import sys
import tempfile
import time

import torch
import torch.nn as nn

LOG = os.path.join(tempfile.gettempdir(), "watched.jsonl")
ROLE = sys.argv[1]
INPUTS_S = 0.04
BASELINE_S = 0.01


def note(**what):
    with open(LOG, "a") as file:
        file.write(json.dumps({"role": ROLE, **what}) + "\n")


def mark(tensor):
    return tensor.detach().reshape(-1)[:8].numpy().tobytes().hex()


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)
        note(seed=torch.initial_seed())

    def forward(self, x):
        y = x * self.scale
        if ROLE == "referee":
            note(input=mark(x), output=mark(y))
        else:
            time.sleep(BASELINE_S)
        return y


def get_inputs():
    start = time.monotonic_ns()
    time.sleep(INPUTS_S)
    x = torch.randn(64, 256)
    note(seed=torch.initial_seed(), input=mark(x), busy=[start, time.monotonic_ns()])
    return [x]


def get_init_inputs():
    return [256]
