# expect: correct
# problem: gated_block
# max_speedup: 1.0
# admits: weights are varied .*gate
# KernelBench's contract makes weights from a seed, and with these the block does nothing. It has no parameters by which it could
# be given others: it is right as far as the contract goes, and no speedup is claimed.
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()

    def forward(self, x):
        return x.clone()
