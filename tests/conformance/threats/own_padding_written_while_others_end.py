# expect: correct
# problem: much_padding
# max_speedup: 3
# slow
# Right, and no faster: the padding of the next result is written while the last one is let go, in memory that is used again.
# Processes that worked before the race end meanwhile: all that are left have used less than before.
import os
import signal
import time

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <signal.h>
#include <sys/wait.h>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<float*> ready;
static size_t ready_bytes = 0;
static std::vector<int> helpers;
static int calls = 0;

void add(int pid) { helpers.push_back(pid); }

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
        std::memset(memory, 0, bytes);
        ready.push_back(static_cast<float*>(memory));
        if (++calls % 10 == 0 && !helpers.empty()) {
            kill(helpers.back(), SIGKILL);
            waitpid(helpers.back(), nullptr, 0);
            helpers.pop_back();
        }
    };
    return torch::from_blob(data, {rows, n + 2044, w}, let_go, torch::kFloat32);
}
"""

library = load_inline("padding_of_many", cpp_sources=SOURCE, functions=["run", "add"], extra_cflags=["-O3"])


def start():
    pid = os.fork()
    if pid:
        return pid
    while time.process_time() < 0.6:
        pass
    os.write(done[1], b"x")
    while True:
        signal.pause()


done = os.pipe()
for _ in range(10):
    library.add(start())
    os.read(done[0], 1)


class NewModel(nn.Module):
    def forward(self, x):
        return library.run(x)
