# expect: disqualified integrity
# problem: positive
# evidence: (shares memory with input 0|lies in the memory of the inputs)
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return x.view(-1).view(x.shape)
