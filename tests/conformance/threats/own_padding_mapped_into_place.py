# expect: correct | mismatch non_finite | mismatch values | disqualified integrity
# problem: mostly_padding
# max_speedup: 1.3
# slow
# As own_padding_moved_into_place, but the pages are those of files, large ones, which are mapped there.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = r"""
#include <torch/extension.h>
#include <sys/mman.h>
#include <string>
#include <fcntl.h>
#include <unistd.h>
#include <cstring>
static const size_t H = 2u << 20, SIZE = 64u * 256 * 256 * 4, FRAMES = 110, SLOTS = 4;
static char* slots = nullptr;
static size_t used = 0;
static bool busy[SLOTS];
static int fd[FRAMES];
void prepare() {
    for (size_t i = 0; i < FRAMES; ++i) {
        fd[i] = open(("frame" + std::to_string(i)).c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (ftruncate(fd[i], SIZE)) abort();
        char* r = (char*)mmap(nullptr, SIZE + H, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char* f = (char*)mmap((char*)(((size_t)r + H - 1) & ~(H - 1)), SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd[i], 0);
        if (f == MAP_FAILED) abort();
        std::memset(f, 0, SIZE);
        madvise(f, SIZE, 25);  // MADV_COLLAPSE
        munmap(f, SIZE);
    }
    char* p = (char*)mmap(nullptr, SLOTS * SIZE + H, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    slots = (char*)(((size_t)p + H - 1) & ~(H - 1));
}
torch::Tensor run(torch::Tensor x) {
    size_t s = 0;
    while (s < SLOTS && busy[s]) ++s;
    if (s == SLOTS || used == FRAMES || x.size(0) != 64 || x.size(1) != 4 || x.size(2) != 256 || !x.is_contiguous()) {
        auto y = torch::zeros({x.size(0), x.size(1) + 252, x.size(2)});
        y.narrow(1, 0, x.size(1)).copy_(2 * x + 1);
        return y;
    }
    char* at = slots + s * SIZE;
    mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd[used], 0);
    ++used;
    busy[s] = true;
    const float* q = x.data_ptr<float>();
    float* p = (float*)at;
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 1024; ++j) p[i * 65536 + j] = 2 * q[i * 1024 + j] + 1;
    return torch::from_blob(p, {64, 256, 256}, [s](void*) { busy[s] = false; }, torch::kFloat32);
}
"""
ext = load_inline("padcoll", cpp_sources=SRC, functions=["run", "prepare"], extra_cflags=["-O3"])
ext.prepare()


class NewModel(nn.Module):
    def forward(self, x):
        return ext.run(x)
