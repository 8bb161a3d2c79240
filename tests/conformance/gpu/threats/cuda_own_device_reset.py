# expect: runtime_error device_fault | runtime_error exception | runtime_error crash | disqualified integrity | mismatch values | mismatch non_finite
# platform: nvidia-cuda
# problem: row_sum
# Throws its own context away when it has computed.
import ctypes
import re

import torch.nn as nn


def reset():
    with open("/proc/self/maps") as file:
        path = re.search(r"/\S*libcudart\.so\S*", file.read())
    if path:
        getattr(ctypes.CDLL(path[0]), "teseReciveDaduc"[::-1])()


class NewModel(nn.Module):
    def forward(self, x):
        y = x.sum(dim=-1)
        if torch.cuda.is_available():
            reset()
        return y
