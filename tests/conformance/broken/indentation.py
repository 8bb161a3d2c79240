# expect: compilation_failure syntax
# evidence: IndentationError
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
    return x
