# expect: mismatch values
# problem: updated_places
# Of 64 places among 100000, two are seldom the same.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, updates, places):
        return updates.clone()
