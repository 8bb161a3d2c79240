# expect: correct
# problem: smoothed_labels
# slow
# Plain loops: exponentials and logits of a row are added one after the other, in single precision.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cmath>

torch::Tensor loss(torch::Tensor logits, torch::Tensor targets, double smoothing) {
    auto x = logits.contiguous();
    auto t = targets.contiguous();
    auto out = torch::empty({x.size(0)}, x.options());
    const float* in = x.data_ptr<float>();
    const int64_t* hit = t.data_ptr<int64_t>();
    float* result = out.data_ptr<float>();
    const int64_t size = x.size(1);
    const float share = static_cast<float>(smoothing);
    for (int64_t row = 0; row < x.size(0); ++row, in += size) {
        float most = in[0], sum = 0, total = 0;
        for (int64_t i = 1; i < size; ++i) most = std::max(most, in[i]);
        for (int64_t i = 0; i < size; ++i) {
            sum += std::exp(in[i] - most);
            total += in[i];
        }
        const float log_sum = most + std::log(sum);
        result[row] = (1 - share) * (log_sum - in[hit[row]]) + share * (log_sum - total / size);
    }
    return out;
}
"""

kernels = load_inline("labels", SOURCE, functions=["loss"])


class NewModel(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, targets):
        return kernels.loss(logits, targets, self.smoothing)
