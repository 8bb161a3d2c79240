# expect: compilation_failure toolchain
# evidence: expected .;. before
import subprocess

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        with open("k.cpp", "w") as file:
            file.write("int f() { return 1 }\n")
        subprocess.check_call(["g++", "-c", "k.cpp"])
        return torch.relu(x)
