# expect: correct
# options: --time-limit-s 8
# The neighbour: half a second of work when nobody is in the way.
import time

import torch.nn as nn
import torch.nn.functional as F

END = time.process_time() + 0.5
while time.process_time() < END:
    pass


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return F.gelu(self.norm(x))
