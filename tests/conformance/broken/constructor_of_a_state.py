# expect: runtime_error exception
# problem: fading_memory
# Fails before it has said where its state lies.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, lines, features):
        super().__init__()
        raise ValueError("no room for a state")
