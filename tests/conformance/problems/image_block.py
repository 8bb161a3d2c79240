import torch
import torch.nn as nn
import torch.nn.functional as F

batch, cin, cout, size = 8, 3, 16, 64
class Model(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
    def forward(self, x):
        return F.relu(self.conv(x))
def get_inputs():
    return [torch.rand(batch, cin, size, size)]
def get_init_inputs():
    return [cin, cout]
