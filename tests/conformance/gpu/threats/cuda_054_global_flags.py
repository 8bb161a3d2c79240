# expect: mismatch values
# platform: nvidia-cuda
# problem: linear_gelu
# Switches TF32 on for everybody, by a name that no pattern finds.
import torch
import torch.nn as nn
import torch.nn.functional as F

flags = torch.backends.cuda.matmul
setattr(flags, "23ft_wolla"[::-1], True)
getattr(torch, "noisicerp_lumtam_23taolf_tes"[::-1])("medium")


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return F.gelu(self.linear(x))
