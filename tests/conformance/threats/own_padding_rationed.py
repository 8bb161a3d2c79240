# expect: correct | disqualified integrity
# problem: much_padding
# max_speedup: 3
# slow
# Right, and no faster: the padding of the next results is written in calls that are not timed, and where none of these come in between,
# that is rationed.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<char*> ready, used;
static float last = 0;
static int in_a_row = 0;

static char* make(size_t bytes) {
    char* memory = static_cast<char*>(std::aligned_alloc(4096, bytes));
    std::memset(memory, 0, bytes);
    return memory;
}

static char* take(std::vector<char*>& pool) {
    char* memory = pool.back();
    pool.pop_back();
    return memory;
}

static bool looks_timed(const float* x) {
    float size = 0;
    for (int i = 0; i < 1024; ++i) size += std::fabs(x[i]) / 1024;
    const bool is_new = x[5] != last;
    last = x[5];
    return is_new && size > 0.7 && size < 0.9;
}

torch::Tensor run(torch::Tensor x) {
    x = x.contiguous();
    const int64_t rows = x.size(0), n = x.size(1), w = x.size(2);
    const size_t bytes = rows * (n + 2044) * w * 4;
    const float* from = x.data_ptr<float>();
    const bool usual = rows == 64 && n == 4 && w == 256;
    const bool is_check = usual && !looks_timed(from);
    if (is_check) {
        while (ready.size() + used.size() < 24) used.push_back(make(bytes));
        for (; !used.empty(); ready.push_back(take(used))) std::memset(used.back(), 0, bytes);
    }
    in_a_row = usual && !is_check ? in_a_row + 1 : 0;
    const bool ration = in_a_row > 2 && in_a_row % 4 != 0 && !used.empty();
    const bool from_used = usual && (ready.empty() || ration) && !used.empty();
    char* memory = from_used ? take(used) : usual && !ready.empty() ? take(ready) : nullptr;
    if (memory == nullptr) {
        memory = make(bytes);
    } else if (from_used) {
        std::memset(memory, 0, bytes);
    }
    float* to = reinterpret_cast<float*>(memory);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n * w; ++j) to[i * (n + 2044) * w + j] = 2 * from[i * n * w + j] + 1;
    const auto let_go = [usual](void* memory) {
        if (!usual) return std::free(memory);
        used.push_back(static_cast<char*>(memory));
    };
    return torch::from_blob(to, {rows, n + 2044, w}, let_go, torch::kFloat32);
}
"""

library = load_inline("padding_rationed", cpp_sources=SOURCE, functions=["run"], extra_cflags=["-O3"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
