# expect: correct
# problem: diagonals
# max_speedup: 1.2
# slow
# Right, and no faster: as own_padding_written_when_let_go, but in memory that is used again, and so little of it that it takes less
# than letting go a result does anyway.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<float*> ready;
static size_t ready_bytes = 0;

torch::Tensor run(torch::Tensor x) {
    x = x.contiguous();
    const int64_t rows = x.size(0), n = x.size(1);
    const size_t bytes = rows * n * n * 4;
    if (bytes != ready_bytes) ready.clear();
    ready_bytes = bytes;
    float* data = nullptr;
    if (!ready.empty()) {
        data = ready.back();
        ready.pop_back();
    } else {
        data = static_cast<float*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
        std::memset(data, 0, bytes);
    }
    const float* from = x.data_ptr<float>();
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j) data[(i * n + j) * n + j] = std::tanh(from[i * n + j]);
    const auto let_go = [bytes](void* memory) {
        if (bytes != ready_bytes || ready.size() > 3) return std::free(memory);
        std::memset(memory, 0, bytes);
        ready.push_back(static_cast<float*>(memory));
    };
    return torch::from_blob(data, {rows, n, n}, let_go, torch::kFloat32);
}
"""

library = load_inline("diagonals", cpp_sources=SOURCE, functions=["run"], extra_cflags=["-O3"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
