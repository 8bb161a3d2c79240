"""Many zeros: memory that the system hands out holds them without anybody having written one."""

import torch
import torch.nn as nn

count = 128 << 20


class Model(nn.Module):
    def forward(self, x):
        return (x[:1].abs() < 0).to(torch.int8).expand(count).contiguous()


def get_inputs():
    return [torch.randn(16)]


def get_init_inputs():
    return []
