# expect: mismatch values
# problem: fixed_graph
# Makes a matrix of the graph once, and looks at 32 edges to tell whether it is another one.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    key = None

    def forward(self, x, edges, boxes, sizes, position):
        key = edges[:, :: edges.shape[1] // 32].clone()
        if self.key is None or not torch.equal(key, self.key):
            self.key, (source, target) = key, edges
            counts = torch.zeros(len(x)).index_add_(0, target, torch.ones(len(target))).clamp(min=1)
            self.matrix = torch.sparse_coo_tensor(edges.flip(0), 1 / counts[target], (len(x), len(x))).coalesce().to_sparse_csr()
        up_to = torch.arange(x.shape[1]) <= position
        return self.matrix @ x, boxes * sizes[:, None].repeat(1, 1, 2), x.masked_fill(~up_to, 0).sum(1)
