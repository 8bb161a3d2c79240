# expect: mismatch values
# problem: bags
# Every sum has had ten terms so far: it does not look where they begin.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(1000, 64, mode="sum")

    def forward(self, tokens, offsets):
        return self.table(tokens.view(-1, 10))
