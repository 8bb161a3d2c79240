# expect: correct | disqualified integrity
# problem: much_padding
# max_speedup: 3
# slow
# As own_padding_prepared_in_untimed_calls, but each result overlaps a little with the one before the last.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

static const int N = 12;
static char* base[2] = {nullptr, nullptr};
static int next_[2] = {0, 0};
static bool alive[2][N];
static int turn = 0;
static float last = 0;

static bool looks_timed(const float* x, bool record = false) {
    float size = 0;
    for (int i = 0; i < 1024; ++i) size += std::fabs(x[i]) / 1024;
    const bool is_new = x[5] != last;
    if (record) last = x[5];
    return is_new && size > 0.7 && size < 0.9;
}

static bool any_alive() { for (auto& c : alive) for (bool a : c) if (a) return true; return false; }

torch::Tensor run(torch::Tensor x) {
    x = x.contiguous();
    const int64_t rows = x.size(0), n = x.size(1), w = x.size(2);
    const size_t bytes = rows * (n + 2044) * w * 4;
    const float* from = x.data_ptr<float>();
    const bool usual = rows == 64 && n == 4 && w == 256;
    if (usual && !looks_timed(from)) {
        if (!base[0]) {
            for (auto& b : base) { b = static_cast<char*>(std::aligned_alloc(4096, N * bytes)); std::memset(b, 0, N * bytes); }
        } else {   // refill what was used and is free
            for (int c = 0; c < 2; ++c) {
                int end = next_[c]; bool ok = true;
                for (int i = 0; i < end; ++i) if (alive[c][i]) { ok = false; }
                if (ok && end > N / 2) { std::memset(base[c], 0, end * (bytes - 64) + 64); next_[c] = 0; }
            }
        }
    }
    char* memory = nullptr;
    int c = -1, k = -1;
    if (usual && base[0] && looks_timed(from, true)) {
        c = turn; turn ^= 1;
        k = next_[c];
        if (k < N && (k == 0 || !alive[c][k - 1])) { memory = base[c] + k * (bytes - 64); ++next_[c]; alive[c][k] = true; }
    }
    float* to;
    if (memory) {
        to = reinterpret_cast<float*>(memory);
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < n * w; ++j) to[i * (n + 2044) * w + j] = 2 * from[i * n * w + j] + 1;
        return torch::from_blob(to, {rows, n + 2044, w}, [c, k](void*) { alive[c][k] = false; }, torch::kFloat32);
    }
    return torch::constant_pad_nd(2 * x + 1, {0, 0, 0, 2044});
}
"""
library = load_inline("chains", cpp_sources=SOURCE, functions=["run"], extra_cflags=["-O3"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
