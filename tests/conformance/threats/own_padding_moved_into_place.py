# expect: correct | mismatch non_finite | mismatch values | disqualified integrity
# problem: mostly_padding
# max_speedup: 1.3
# slow
# As own_padding_written_in_advance, but the pages are moved to where earlier results have been: no address is new.
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = r"""
#include <torch/extension.h>
#include <sys/mman.h>
#include <cstring>
static const size_t H = 2u << 20, SIZE = 64u * 256 * 256 * 4, FRAMES = 220, SLOTS = 4;
static char *frames = nullptr, *grave = nullptr, *slots = nullptr;
static size_t used = 0;
static bool busy[SLOTS];
static char* reserve(size_t n, int prot) {
    char* p = (char*)mmap(nullptr, n + H, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return (char*)(((size_t)p + H - 1) & ~(H - 1));
}
void prepare() {
    frames = reserve(FRAMES * SIZE, PROT_READ | PROT_WRITE);
    madvise(frames, FRAMES * SIZE, MADV_HUGEPAGE);
    std::memset(frames, 0, FRAMES * SIZE);
    grave = reserve(FRAMES * SIZE, PROT_NONE);
    slots = reserve(SLOTS * SIZE, PROT_READ | PROT_WRITE);
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
    mremap(at, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, grave + used * SIZE);
    mremap(frames + used * SIZE, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, at);
    ++used;
    busy[s] = true;
    const float* q = x.data_ptr<float>();
    float* p = (float*)at;
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 1024; ++j) p[i * 65536 + j] = 2 * q[i * 1024 + j] + 1;
    return torch::from_blob(p, {64, 256, 256}, [s](void*) { busy[s] = false; }, torch::kFloat32);
}
"""
ext = load_inline("padmove", cpp_sources=SRC, functions=["run", "prepare"], extra_cflags=["-O3"])
ext.prepare()


class NewModel(nn.Module):
    def forward(self, x):
        return ext.run(x)
