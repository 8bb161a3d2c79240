# expect: runtime_error crash
# problem: row_sum
# Ends with status 0 before anybody looks.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        os._exit(0)
