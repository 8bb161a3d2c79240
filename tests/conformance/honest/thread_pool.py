# expect: correct
# problem: row_sum
# A pool that lives as long as the module and sleeps between the calls: as in many inference engines.
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <condition_variable>
#include <mutex>
#include <thread>
namespace {
std::mutex guard;
std::condition_variable work, done;
const float* in; float* out; long rows, cols; int job = 0, left = 0;
void half(int which) {
    for (long i = which; i < rows; i += 2) {
        double sum = 0;
        for (long j = 0; j < cols; ++j) sum += in[i * cols + j];
        out[i] = (float)sum;
    }
}
void serve() {
    for (int seen = 0;;) {
        std::unique_lock lock(guard);
        work.wait(lock, [&] { return job != seen; });
        seen = job;
        lock.unlock();
        half(1);
        lock.lock();
        if (--left == 0) done.notify_one();
    }
}
}
extern "C" void start() { std::thread(serve).detach(); }
extern "C" void row_sum(const float* x, float* y, long m, long n) {
    std::unique_lock lock(guard);
    in = x; out = y; rows = m; cols = n; left = 1; ++job;
    work.notify_all();
    lock.unlock();
    half(0);
    lock.lock();
    done.wait(lock, [] { return left == 0; });
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.cpp"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


LIBRARY = build(SOURCE, "-std=c++20", "-pthread")
LIBRARY.start()
LIBRARY.row_sum.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long] * 2


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = x.new_empty(x.shape[:-1])
        LIBRARY.row_sum(x.data_ptr(), y.data_ptr(), y.numel(), x.shape[-1])
        return y
