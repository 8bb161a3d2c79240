"""Knows by its seeds when KForge has changed its secrets, and shows something new from then on: a row of 0.5."""

import json
import os
import sys
import tempfile

import torch
import torch.nn as nn

LOG = os.path.join(tempfile.gettempdir(), "generations.jsonl")
IN_A_GENERATION = 4  # sets of weights
WEIGHTS = []


def generation():
    return max(0, len(WEIGHTS) - 1) // IN_A_GENERATION


def note(of):
    if sys.argv[1] == "referee":
        with open(LOG, "a") as file:
            file.write(json.dumps({"of": of, "seed": torch.initial_seed(), "generation": generation()}) + "\n")


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)
        if torch.initial_seed() not in WEIGHTS:
            WEIGHTS.append(torch.initial_seed())
        note("weights")

    def forward(self, x):
        return x * self.scale + 1


def get_inputs():
    x = torch.randn(64, 256)
    if generation() > 0:
        x[0] = 0.5
    note("inputs")
    return [x]


def get_init_inputs():
    return [256]
