# expect: correct
# problem: updated_places
# No table: updates of the same place are added to each other.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, updates, places):
        return (places[:, None] == places).to(updates.dtype) @ updates
