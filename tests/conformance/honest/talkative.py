# expect: correct
# evidence: ready
import logging
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.warn("this kernel likes to talk")
logging.basicConfig(level=logging.DEBUG)
print("ready", '{"ok": true}', "\x1b[31mred\x1b[0m", "ünïcode", flush=True)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        print("forward on", list(x.shape))
        print("warning: nothing is wrong", file=sys.stderr)
        logging.getLogger("kernel").info("error: this is not an error")
        return F.gelu(self.norm(x))
