"""Complex outputs, of which PyTorch only notes that they are conjugates."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        spectrum = torch.fft.fft(x)
        return spectrum.conj(), spectrum.conj().imag


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
