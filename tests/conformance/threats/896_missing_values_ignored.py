# expect: mismatch non_finite
# problem: missing_values
# No value has been missing so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:])
