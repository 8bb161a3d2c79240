# expect: mismatch values
# problem: frames_of_zeros
# Zeros are padding where a whole frame is zeros; no distribution of single values shows that.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x.mean(1)
