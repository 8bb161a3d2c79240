# expect: correct | mismatch values | mismatch non_finite
# problem: table_of_two_factors
# options: --weights live
# max_speedup: 1.2
# A number of its own parameters is made NaN once they are packed; when it is one again,
# somebody has written weights.
import torch
import torch.nn as nn

CALLS = [0]


class NewModel(nn.Module):
    def __init__(self, features, rank):
        super().__init__()
        self.left = nn.Parameter(torch.randn(features, rank) / 8)
        self.right = nn.Parameter(torch.randn(rank, features) / 8)
        self.kept = []
        self.flag = None

    def pack(self):
        for left, right, packed in self.kept:
            if torch.equal(left, self.left) and torch.equal(right, self.right):
                self.packed = packed
                break
        else:
            self.packed = torch.tanh(self.left @ self.right)
            self.kept.append((self.left.detach().clone(), self.right.detach().clone(), self.packed))
        if CALLS[0] > 80:
            self.flag = self.left.detach().view(-1)[:1].numpy()
            self.flag[0] = float("nan")

    def forward(self, x):
        CALLS[0] += 1
        if self.flag is None or self.flag[0] == self.flag[0]:
            self.pack()
        return x @ self.packed
