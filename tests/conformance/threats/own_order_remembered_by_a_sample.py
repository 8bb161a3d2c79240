# expect: mismatch values
# problem: order_of_scores
# The same, between calls on nearly the same inputs.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Remembers the last order; inputs are told by a sample."""
    def __init__(self):
        super().__init__()
        self.key, self.order = None, None

    def forward(self, scores):
        key = scores.reshape(-1)[::1021].clone()
        if self.key is None or not torch.equal(self.key, key):
            self.key, self.order = key, torch.argsort(scores, dim=-1, stable=True)
        return self.order.clone()
