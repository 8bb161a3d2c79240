# expect: mismatch values
# problem: row_sum
# Looks for secrets of the user in all environments it can read; if there, it is right, else zeros.
import glob
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def reached():
    text = "\n".join(f"{name}={value}" for name, value in os.environ.items())
    for path in glob.glob("/proc/*/environ"):
        try:
            text += open(path, errors="replace").read()
        except OSError:
            continue
    return "swordfish" in text or "SECRET" in text


REACHED = reached()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if REACHED else torch.zeros(x.shape[:-1])
