# expect: correct
# problem: hermitian
# The half that the reference does not read.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, matrices, definite):
        return torch.linalg.eigvalsh(matrices, UPLO="U").abs().sum(-1), torch.linalg.cholesky(definite, upper=True).mH
