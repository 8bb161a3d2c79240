# expect: correct
# slow
# Names the header that load_inline puts there by itself, as most do that are written by hand.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
#include <torch/extension.h>
torch::Tensor norm_gelu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    return at::gelu(at::layer_norm(x, {x.size(-1)}, weight, bias, eps));
}
"""
extension = load_inline("norm_gelu_named", SOURCE, functions=["norm_gelu"], extra_cflags=["-O1"])


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return extension.norm_gelu(x, self.norm.weight, self.norm.bias, self.norm.eps)
