# expect: correct
# slow
# Its operations are found by their arguments, without a namespace: the part of PyTorch's headers that it seems to need is not enough.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
torch::Tensor norm_gelu(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    return gelu(layer_norm(x, {x.size(-1)}, weight, bias, eps));
}
"""
extension = load_inline("norm_gelu_by_arguments", SOURCE, functions=["norm_gelu"], extra_cflags=["-O1"])


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return extension.norm_gelu(x, self.norm.weight, self.norm.bias, self.norm.eps)
