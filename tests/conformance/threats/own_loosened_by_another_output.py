# expect: mismatch values
# problem: two_precisions
# Computes one output with the mantissa of a half: what another output of that type may be wrong by is no excuse.
import torch
import torch.nn as nn

LAST_PLACES = 0xFFF


class NewModel(nn.Module):
    def forward(self, x):
        probabilities = torch.softmax(x, dim=-1)
        probabilities.view(torch.int32).bitwise_and_(~LAST_PLACES)
        return probabilities, x.amax(dim=-1).to(torch.float16)
