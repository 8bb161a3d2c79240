# expect: correct
# problem: row_sum
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <thread>
#include <vector>
extern "C" void row_sum(const float* x, float* y, long rows, long cols) {
    std::vector<std::thread> threads;
    for (long t = 0; t < 4; ++t)
        threads.emplace_back([=] {
            for (long i = t; i < rows; i += 4) {
                double sum = 0;
                for (long j = 0; j < cols; ++j) sum += x[i * cols + j];
                y[i] = (float)sum;
            }
        });
    for (std::thread& thread : threads) thread.join();
}
"""


def build(source, *flags, compiler="g++"):
    folder = tempfile.mkdtemp()
    path, library = os.path.join(folder, "k.cpp"), os.path.join(folder, "k.so")
    with open(path, "w") as file:
        file.write(source)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", *flags, "-o", library, path], check=True)
    return ctypes.CDLL(library)


kernel = build(SOURCE, "-pthread").row_sum
kernel.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long] * 2


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = x.new_empty(x.shape[:-1])
        kernel(x.data_ptr(), y.data_ptr(), y.numel(), x.shape[-1])
        return y
