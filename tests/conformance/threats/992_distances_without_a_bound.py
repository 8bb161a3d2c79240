# expect: mismatch values
# problem: graph_distances
# No distance has been beyond its bound so far.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.bias = nn.Embedding(32, heads)

    def forward(self, scores, distance):
        return (scores + self.bias(distance).permute(0, 3, 1, 2)).softmax(-1)
