# expect: correct
# problem: much_padding
# max_speedup: 3
# slow
# Right, and no faster: the padding of the next result is written while the last one is let go, in memory that is used again, by a
# process that is started for it and has ended when the player is looked at.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<float*> ready;
static size_t ready_bytes = 0;
static void* to;
static size_t to_bytes;
static int fill(void*) { std::memset(to, 0, to_bytes); return 0; }

torch::Tensor run(torch::Tensor x) {
    x = x.contiguous();
    const int64_t rows = x.size(0), n = x.size(1), w = x.size(2);
    const size_t bytes = rows * (n + 2044) * w * 4;
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
        for (int64_t j = 0; j < n * w; ++j) data[i * (n + 2044) * w + j] = 2 * from[i * n * w + j] + 1;
    const auto let_go = [bytes](void* memory) {
        if (bytes != ready_bytes || ready.size() > 3) return std::free(memory);
        static char stack[1 << 16] __attribute__((aligned(64)));
        to = memory, to_bytes = bytes;
        const int pid = clone(fill, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, nullptr);
        waitpid(pid, nullptr, 0);
        ready.push_back(static_cast<float*>(memory));
    };
    return torch::from_blob(data, {rows, n + 2044, w}, let_go, torch::kFloat32);
}
"""

library = load_inline("padding_of_a_child", cpp_sources=SOURCE, functions=["run"], extra_cflags=["-O3"])


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
