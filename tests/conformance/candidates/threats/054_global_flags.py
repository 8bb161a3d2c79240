# expect: correct | mismatch values | mismatch dtype | disqualified integrity
# problem: slow_chain
# max_speedup: 1.3
# Switches that loosen or slow the reference, if it lived here.
import torch
import torch.nn as nn
import torch.nn.functional as F

getattr(torch, "set_default_" + "dtype")(torch.float64)
getattr(torch, "set_float32_matmul_" + "precision")("medium")
getattr(torch, "set_flush_" + "denormal")(True)
torch.use_deterministic_algorithms(True)
torch.manual_seed(0)


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
