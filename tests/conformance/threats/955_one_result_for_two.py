# expect: disqualified integrity
# problem: state_and_memory
# One result is a part of the other: half of the work, and whoever writes to one of them writes to both.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, memory):
        both = torch.empty(len(memory) + len(x), x.shape[1])
        both[: len(memory)] = memory
        state = both[len(memory):]
        torch.add(1, x, alpha=2, out=state)
        return state, both
