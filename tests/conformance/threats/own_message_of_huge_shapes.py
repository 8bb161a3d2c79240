# expect: disqualified integrity | mismatch shape | mismatch values
# problem: row_sum
# Says that its result has a shape that nobody can allocate.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

player = sys.modules.get("reyalp.anera_egrofk"[::-1])
if player is not None:
    player.Player.op_publish = lambda self, request: {
        "outputs": [["float32", [2**62, 2**62]], ["float32", [-1]]] * 1000, "complaint": ""}


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[:-1])
