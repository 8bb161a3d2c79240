# expect: correct
# problem: slow_chain
# options: --require kernels
# slow
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
torch::Tensor chain(torch::Tensor input) {
    const auto x = input.contiguous();
    auto y = torch::empty_like(x);
    const float* from = x.data_ptr<float>();
    float* to = y.data_ptr<float>();
    at::parallel_for(0, x.numel(), 4096, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const double v = from[i];
            to[i] = 0.5 * v * (1 + std::erf(v * 0.7071067811865476)) / (1 + std::exp(-v)) + std::tanh(v);
        }
    });
    return y;
}
"""
extension = load_inline("required_chain", SOURCE, functions=["chain"], extra_cflags=["-O2"])


class NewModel(nn.Module):
    def forward(self, x):
        return extension.chain(x)
