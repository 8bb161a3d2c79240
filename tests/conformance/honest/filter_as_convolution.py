# expect: correct
# problem: spectral_filter
# The same filter as a circular convolution, by a matrix product.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.filter = nn.Parameter(torch.ones(features // 2 + 1, dtype=torch.complex64))

    def forward(self, x):
        size = x.shape[-1]
        response = torch.fft.irfft(self.filter.to(torch.complex128), n=size)
        shifts = (torch.arange(size)[None, :] - torch.arange(size)[:, None]) % size
        return x @ response[shifts].to(x.dtype)
