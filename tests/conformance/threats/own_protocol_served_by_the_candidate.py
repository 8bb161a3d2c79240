# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# Takes over the conversation: the call is answered at once, the work is done when the result is asked for.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

PACKAGE = "anera_egrofk"[::-1]

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


def take_over():
    player = sys.modules.get(PACKAGE + ".player")
    if player is None:
        return
    publish = player.Player.op_publish

    def op_go(self, request):
        self.late = True
        return {"ns": 1000}

    def op_publish(self, request):
        with torch.no_grad():
            self.output = self.model(*self.bound)
        return publish(self, request)

    player.Player.op_go, player.Player.op_publish = op_go, op_publish


take_over()


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
