# expect: disqualified integrity
# problem: short_prompts_in_a_long_cache
# The padding is pages that nobody has written to. The first of them, in which one element lies, cannot be written to: whoever
# makes the pages to find out how long that takes gives up there.
import ctypes
import os
import subprocess
import sys
import weakref

import numpy as np
import torch
import torch.nn as nn

with open("k.c", "w") as file:
    file.write(r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
static long up(long a) { return (a + 4095) & ~4095l; }
char* make(long bytes, int only_read) {
    char* at = mmap(0, up(bytes) + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (only_read) mprotect(at, 4096, PROT_READ);
    return at + 4092;
}
void put(char* to, const char* from, long count, long part, long whole) {
    for (long i = 0; i < count; i++) memcpy(to + (i + 1) * whole - part, from + i * part, part);
}
struct scan { unsigned long size, flags, start, end, walk_end, vec, vec_len, max_pages, inverted, mask, anyof, result; };
struct region { unsigned long start, end, categories; };
static int map = -2;
/* Pages that somebody has written to: these are given back. */
static void give_back(char* first, char* end) {
    static struct region found[4096];
    struct scan all = {sizeof all, 0, (unsigned long)first, (unsigned long)end, 0, (unsigned long)found, 4096, 0, 32, 40, 0, 40};
    if (map == -2) map = open("/proc/self/pagemap", O_RDONLY);
    long n = ioctl(map, _IOWR('f', 16, struct scan), &all);
    if (n < 0 || n == 4096) { madvise(first, end - first, MADV_DONTNEED); return; }
    for (long i = 0; i < n; i++) madvise((void*)found[i].start, found[i].end - found[i].start, MADV_DONTNEED);
}
void forget(char* to, long count, long part, long whole) {
    for (long i = 0; i < count; i++) {
        char* first = (char*)up((long)to + i * whole);
        char* end = (char*)(((long)to + (i + 1) * whole - part) & ~4095l);
        if (i > 0 && first > to + i * whole) memset(to + i * whole, 0, first - (to + i * whole));
        if (end > first) give_back(first, end);
        char* rest = to + (i + 1) * whole - part;
        if (rest > end && end >= first) memset(end, 0, rest - end);
    }
}
""")
subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", "k.so", "k.c"], check=True)
LIB = ctypes.CDLL(os.path.join(os.getcwd(), "k.so"))
P, L = ctypes.c_void_p, ctypes.c_long
LIB.make.restype, LIB.make.argtypes = P, [L, ctypes.c_int]
LIB.put.argtypes = LIB.forget.argtypes = None
LIB.put.argtypes = [P, P, L, L, L]
LIB.forget.argtypes = [P, L, L, L]
ONLY_READ = 0 if os.environ.get("HONEST") else 1
READY = {}


def let_go(shape, at, sizes):
    LIB.forget(at, *sizes)
    READY.setdefault(shape, []).append(at)


class NewModel(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.length = length

    def forward(self, x):
        y = torch.nn.functional.gelu(x).contiguous()
        shape = (x.shape[0], self.length, x.shape[2])
        sizes = (x.shape[0], 4 * x.shape[1] * x.shape[2], 4 * self.length * x.shape[2])
        ready = READY.get(shape)
        at = ready.pop() if ready else LIB.make(sizes[0] * sizes[2], ONLY_READ)
        LIB.put(at, y.data_ptr(), *sizes)
        whole = torch.from_numpy(np.frombuffer((ctypes.c_float * (sizes[0] * sizes[2] // 4)).from_address(at), np.float32)).view(shape)
        weakref.finalize(whole, let_go, shape, at, sizes)
        return whole
