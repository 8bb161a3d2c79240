"""Candidates to measure with: correct, wrong, not compiling and slow ones, each a text of its own.

They come in the two usual ways to get C++ into PyTorch: a C function called through ctypes, and load_inline.
"""

from dataclasses import dataclass


@dataclass
class Candidate:
    name: str
    kind: str  # correct, wrong, broken, slow
    source: str


_TRIVIAL = '''\
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cstdint>
extern "C" void scaled_relu_NUMBER(const float* x, const float* scale, float* y, int64_t rows, int64_t n) {
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j) {
            const float v = x[i * n + j] * scale[j];
            y[i * n + j] = v < 0 ? 0 : v;
        }
}
"""
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "kernel.cpp"), "w") as file:
    file.write(SOURCE)
command = ["g++", "-O2", "-shared", "-fPIC", "kernel.cpp", "-o", "kernel.so"]
subprocess.run(command, cwd=folder, check=True)
kernel = ctypes.CDLL(os.path.join(folder, "kernel.so")).scaled_relu_NUMBER
kernel.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_int64] * 2


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(features))

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        kernel(x.data_ptr(), self.scale.data_ptr(), y.data_ptr(), x.shape[0], x.shape[1])
        return y
'''


def trivial(count):
    """Correct candidates for problems/trivial.py that differ in a name."""
    return [Candidate(f"trivial-{i}", "correct", _TRIVIAL.replace("NUMBER", str(i))) for i in range(count)]


_KERNEL = r"""
#include <cmath>
#include <cstdint>
#pragma omp declare simd notinbranch
extern "C" float expf(float) noexcept;
static inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
static inline float gelu(float x) { return x * sigmoid(x * (1.59576912f + 0.0713548163f * x * x)); }
extern "C" void chain(const float* __restrict x, const float* __restrict gate, const float* __restrict bias,
                      const float* __restrict scale, float* __restrict y, int64_t rows, int64_t n, float limit) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < rows; ++i) {
#pragma omp simd
        for (int64_t j = 0; j < n; ++j) {
            float v = gelu(x[i * n + j] + bias[j]) * sigmoid(gate[i * n + j]) * scale[j];
            v = v > limit ? limit : v;
            v = v < -limit ? -limit : v;
            y[i * n + j] = v;
        }
    }
}
"""

_MODULE = '''

class NewModel(nn.Module):
    def __init__(self, features, limit):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = nn.Parameter(torch.randn(features))
        self.limit = limit

    def forward(self, x, gate):
        x, gate = x.contiguous(), gate.contiguous()
        CALL
'''

_C_ABI = '''\
import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""KERNEL"""
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "kernel.cpp"), "w") as file:
    file.write(SOURCE)
command = ["g++", "-O3", "-march=native", "-fno-math-errno", "-fopenmp", "-shared", "-fPIC", "kernel.cpp",
           "-o", "kernel.so"]
subprocess.run(command, cwd=folder, check=True)
kernel = ctypes.CDLL(os.path.join(folder, "kernel.so")).chain
kernel.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_int64] * 2 + [ctypes.c_float]
''' + _MODULE.replace("CALL", '''y = torch.empty_like(x)
        kernel(x.data_ptr(), gate.data_ptr(), self.bias.data_ptr(), self.scale.data_ptr(), y.data_ptr(),
               x.shape[0], x.shape[1], self.limit)
        return y''')

_LOAD_INLINE = '''\
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = r"""KERNEL
torch::Tensor run(torch::Tensor x, torch::Tensor gate, torch::Tensor bias, torch::Tensor scale, double limit) {
    torch::Tensor y = torch::empty_like(x);
    chain(x.data_ptr<float>(), gate.data_ptr<float>(), bias.data_ptr<float>(), scale.data_ptr<float>(),
          y.data_ptr<float>(), x.size(0), x.size(1), limit);
    return y;
}
"""
kernel = load_inline(name="chain_NUMBER", cpp_sources=SOURCE, functions=["run"],
                     extra_cflags=["-O3", "-march=native", "-fno-math-errno", "-fopenmp"]).run
''' + _MODULE.replace("CALL", "return kernel(x, gate, self.bias, self.scale, self.limit)")

# (kind, name, what is replaced in the kernel, by what)
_VARIANTS = [
    ("correct", "plain", "", ""),
    ("broken", "typo", "float v =", "flaot v ="),
    ("wrong", "no-bias", " + bias[j]", ""),
    ("correct", "dynamic", "schedule(static)", "schedule(dynamic, 16)"),
    ("slow", "one-thread", "#pragma omp parallel for schedule(static)\n", ""),
    ("correct", "guided", "schedule(static)", "schedule(guided)"),
    ("wrong", "no-clamp", "v = v > limit ? limit : v;\n", "\n"),
    ("broken", "semicolon", "* scale[j];", "* scale[j]"),
    ("correct", "chunks", "schedule(static)", "schedule(static, 8)"),
    ("correct", "min-max", "v < -limit ? -limit : v", "std::fmax(v, -limit)"),
    ("wrong", "last-row", "i < rows; ++i) {", "i < rows - 1; ++i) {"),
    ("broken", "undeclared", "gelu(x[", "gelu_tanh(x["),
    ("correct", "reordered", "gelu(x[i * n + j] + bias[j]) * sigmoid(gate[i * n + j]) * scale[j]",
     "scale[j] * sigmoid(gate[i * n + j]) * gelu(x[i * n + j] + bias[j])"),
    ("slow", "scalar", "#pragma omp simd\n", ""),
    ("wrong", "other-gelu", "x * sigmoid(x * (1.59576912f + 0.0713548163f * x * x))", "x * sigmoid(1.702f * x)"),
    ("correct", "unroll", "#pragma omp simd\n", "#pragma omp simd simdlen(32)\n"),
    ("broken", "missing-argument", "sigmoid(gate[i * n + j])", "sigmoid()"),
    ("correct", "fma", "x * (1.59576912f + 0.0713548163f * x * x)", "x * std::fma(0.0713548163f, x * x, 1.59576912f)"),
    ("wrong", "last-columns", "j < n; ++j) {", "j < n - 3; ++j) {"),
    ("correct", "signs", "1.0f / (1.0f + expf(-x))", "0.0f + 1.0f / (expf(-x) + 1.0f)"),
]


def mixed_c_abi():
    """20 candidates for problems/chain.py."""
    return [_variant(_C_ABI, number, *row) for number, row in enumerate(_VARIANTS)]


def mixed_load_inline():
    """The same 20 as extensions: the sequential evaluator takes the better part of a minute for each."""
    return [_variant(_LOAD_INLINE, number, *row) for number, row in enumerate(_VARIANTS)]


def _variant(frame, number, kind, name, old, new):
    if old not in _KERNEL:
        raise ValueError(f"{name}: the kernel does not hold {old!r}")
    kernel = _KERNEL.replace(old, new) if old else _KERNEL
    return Candidate(name, kind, frame.replace("KERNEL", kernel).replace("NUMBER", str(number)))
