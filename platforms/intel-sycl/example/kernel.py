import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <c10/xpu/XPUStream.h>

constexpr int LOCAL = 512;  // work-items of a group; the sub-group size is left to the compiler

static inline float gelu(float x) { return 0.5f * x * (1.0f + sycl::erf(x * 0.70710678118654752f)); }

// One work-group per (image, group of channels): its values are contiguous. Mean, then squared deviations, then
// the result; the second and third pass find the values in the cache.
at::Tensor group_norm_gelu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           int64_t groups, double eps) {
    at::Tensor out = at::empty_like(x);
    const int64_t channels = x.size(1), area = x.numel() / (x.size(0) * channels);
    const int64_t per_group = channels / groups, length = per_group * area, count = x.size(0) * groups;
    const float* in = x.data_ptr<float>();
    const float* w = weight.data_ptr<float>();
    const float* b = bias.data_ptr<float>();
    float* result = out.data_ptr<float>();
    // PyTorch's own queue: it is in order, so nothing has to be waited for.
    sycl::queue& queue = c10::xpu::getCurrentXPUStream().queue();
    queue.submit([&](sycl::handler& handler) {
        handler.parallel_for(
            sycl::nd_range<1>(sycl::range<1>(count * LOCAL), sycl::range<1>(LOCAL)),
            [=](sycl::nd_item<1> item) {
                const auto group = item.get_group();
                const int64_t index = item.get_group(0), lane = item.get_local_id(0);
                const float* row = in + index * length;
                float* to = result + index * length;
                float sum = 0.0f;
                for (int64_t j = lane; j < length; j += LOCAL) sum += row[j];
                const float mean = sycl::reduce_over_group(group, sum, sycl::plus<float>()) / length;
                float squares = 0.0f;
                for (int64_t j = lane; j < length; j += LOCAL) squares += (row[j] - mean) * (row[j] - mean);
                const float variance = sycl::reduce_over_group(group, squares, sycl::plus<float>()) / length;
                const float scale = 1.0f / sycl::sqrt(variance + static_cast<float>(eps));
                for (int64_t j = lane; j < length; j += LOCAL) {
                    const int64_t channel = (index % groups) * per_group + j / area;
                    to[j] = gelu((row[j] - mean) * scale * w[channel] + b[channel]);
                }
            });
    });
    return out;
}
"""

DECLARATION = """
at::Tensor group_norm_gelu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           int64_t groups, double eps);
"""

module = load_inline(
    name="group_norm_gelu", cpp_sources=[DECLARATION], sycl_sources=[SOURCE], functions=["group_norm_gelu"]
)


class NewModel(nn.Module):
    def __init__(self, groups: int, channels: int):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        norm = self.norm
        return module.group_norm_gelu(x.contiguous(), norm.weight, norm.bias, norm.num_groups, norm.eps)
