# expect: correct
# problem: much_padding
# slow
# Results that were let go are written anew in full, so that no page is new: several times as fast, and rightly so.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<void*> idle;
static size_t idle_bytes = 0;

static float* take(size_t bytes) {
    if (bytes != idle_bytes) {
        for (void* memory : idle) std::free(memory);
        idle.clear();
        idle_bytes = bytes;
    }
    if (idle.empty()) return static_cast<float*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
    void* memory = idle.back();
    idle.pop_back();
    return static_cast<float*>(memory);
}

torch::Tensor run(torch::Tensor x) {
    x = x.contiguous();
    const int64_t rows = x.size(0), n = x.size(1) * x.size(2), padded = n + 2044 * x.size(2);
    const size_t bytes = rows * padded * sizeof(float);
    float* to = take(bytes);
    const float* from = x.data_ptr<float>();
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < n; ++j) to[i * padded + j] = 2 * from[i * n + j] + 1;
        std::memset(to + i * padded + n, 0, (padded - n) * sizeof(float));
    }
    const auto let_go = [bytes](void* memory) {
        if (bytes == idle_bytes) idle.push_back(memory); else std::free(memory);
    };
    return torch::from_blob(to, {rows, x.size(1) + 2044, x.size(2)}, let_go, torch::kFloat32);
}
"""

library = load_inline("padding_in_used_memory", cpp_sources=SOURCE, functions=["run"], extra_cflags=["-O3"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
