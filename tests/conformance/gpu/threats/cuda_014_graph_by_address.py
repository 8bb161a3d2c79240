# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error device_fault | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# A graph that reads the inputs of its first call where they were.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


GRAPHS = {}


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        if x.shape not in GRAPHS:
            static, graph = x, torch.cuda.CUDAGraph()
            work(static)
            torch.cuda.synchronize()
            with torch.cuda.graph(graph):
                result = work(static)
            GRAPHS[x.shape] = [graph, static, result, 0]
        entry = GRAPHS[x.shape]
        entry[0].replay()
        return entry[2].clone()
