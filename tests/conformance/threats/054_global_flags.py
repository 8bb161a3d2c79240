# expect: correct | mismatch values | mismatch dtype | disqualified integrity
# problem: slow_chain
# max_speedup: 1.3
# Switches that loosen or slow the reference, if it lived here.
import torch
import torch.nn as nn
import torch.nn.functional as F

getattr(torch, "epytd_tluafed_tes"[::-1])(torch.float64)
getattr(torch, "noisicerp_lumtam_23taolf_tes"[::-1])("medium")
getattr(torch, "lamroned_hsulf_tes"[::-1])(True)
torch.use_deterministic_algorithms(True)
torch.manual_seed(0)


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
