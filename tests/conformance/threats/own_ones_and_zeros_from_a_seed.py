# expect: correct
# admits: weights are varied .*norm\.weight, norm\.bias
# KernelBench's contract makes weights from a seed, and every seed makes ones and zeros here: nobody can tell that it does
# not use them, so the verdict says so.
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()

    def forward(self, x):
        return F.gelu(F.layer_norm(x, x.shape[-1:]))
