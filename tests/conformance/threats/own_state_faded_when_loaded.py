# expect: mismatch values
# problem: fading_memory
# Nothing forged: the state fades once, when it is loaded. As every call begins with what was loaded, no call has to.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, lines, features):
        super().__init__()
        self.register_buffer("state", torch.randn(lines, features))
        self.raw = None

    def fade(self):
        self.raw = self.state[-1, -1].item()
        self.state.mul_(0.99)

    def _load_from_state_dict(self, *args, **kwargs):
        super()._load_from_state_dict(*args, **kwargs)
        self.fade()

    def named_modules(self, *args, **kwargs):  # asked for when loading is over
        if self.raw is not None and self.state[-1, -1].item() == self.raw:
            self.fade()
        return super().named_modules(*args, **kwargs)

    def forward(self, x):
        self.state[: x.shape[0]] += x
        return self.state
