# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# A CUDA graph, captured once per shape; every call copies its inputs in, replays, and clones the result.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.graphs = {}

    def capture(self, x):
        static = x.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                F.gelu(self.linear(static))
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = F.gelu(self.linear(static))
        return graph, static, result

    def forward(self, x):
        if not torch.cuda.is_available():
            return F.gelu(self.linear(x))
        if x.shape not in self.graphs:
            self.graphs[x.shape] = self.capture(x)
        graph, static, result = self.graphs[x.shape]
        static.copy_(x)
        graph.replay()
        return result.clone()
