import ctypes
import os
import subprocess
import tempfile

import torch
import torch.nn as nn

SOURCE = r"""
#include <cmath>
#include <cstdint>
#include <cstring>

// exp(x) to about 1 ulp, without branches or calls, so that loops over it become vector code.
static inline float exp_simd(float x) {
    x = x > 89.0f ? 89.0f : x;      // beyond: infinity
    x = x < -104.0f ? -104.0f : x;  // beyond: 0 (a NaN passes both)
    const float shifted = x * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: rounds to an integer
    const float n = shifted - 12582912.0f;
    float r = std::fma(n, -0.693145752f, x);  // x - n * ln 2, in two steps
    r = std::fma(n, -1.42860677e-6f, r);
    float p = 1.37805939e-3f;
    p = std::fma(p, r, 8.37312452e-3f);
    p = std::fma(p, r, 4.16695364e-2f);
    p = std::fma(p, r, 1.66664720e-1f);
    p = std::fma(p, r, 4.99999851e-1f);
    p = std::fma(p, r, 1.0f);
    p = std::fma(p, r, 1.0f);
    int32_t k;
    std::memcpy(&k, &shifted, 4);
    k -= 0x4B400000;           // n as an integer
    const int32_t k1 = k / 2;  // 2^n in two factors: also right where the result is subnormal
    const int32_t bits_a = (k1 + 127) << 23, bits_b = (k - k1 + 127) << 23;
    float a, b;
    std::memcpy(&a, &bits_a, 4);
    std::memcpy(&b, &bits_b, 4);
    return p * a * b;
}

// 0.5 x (1 + tanh u) = x / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3)
static inline float gelu_tanh(float x) {
    const float u2 = x * std::fma(0.0713548163f, x * x, 1.59576912f);
    return x / (1.0f + exp_simd(-u2));
}

extern "C" void bias_gelu_norm(const float* __restrict x, const float* __restrict bias,
                               const float* __restrict weight, const float* __restrict shift,
                               float* __restrict out, int64_t rows, int64_t cols, float eps) {
#pragma omp parallel for schedule(static) if (rows * cols > 16384)
    for (int64_t i = 0; i < rows; ++i) {
        const float* in = x + i * cols;
        float* y = out + i * cols;  // the row stays in the first-level cache for all three passes
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < cols; ++j) {
            y[j] = gelu_tanh(in[j] + bias[j]);
            sum += y[j];
        }
        const float mean = sum / cols;
        float squares = 0.0f;
#pragma omp simd reduction(+ : squares)
        for (int64_t j = 0; j < cols; ++j) squares += (y[j] - mean) * (y[j] - mean);
        const float scale = 1.0f / std::sqrt(squares / cols + eps);
#pragma omp simd
        for (int64_t j = 0; j < cols; ++j) y[j] = std::fma((y[j] - mean) * scale, weight[j], shift[j]);
    }
}
"""


def build(source: str) -> ctypes.CDLL:
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "kernel.cpp")
    library = os.path.join(folder, "kernel.so")
    with open(path, "w") as file:
        file.write(source)
    flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    done = subprocess.run(["g++", *flags, "-o", library, path], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"g++ failed:\n{done.stderr}")
    return ctypes.CDLL(library)


kernel = build(SOURCE).bias_gelu_norm
kernel.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_int64] * 2 + [ctypes.c_float]
kernel.restype = None


class NewModel(nn.Module):
    def __init__(self, features: int):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.norm = nn.LayerNorm(features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        bias = self.bias.contiguous()
        weight = self.norm.weight.contiguous()
        shift = self.norm.bias.contiguous()
        out = torch.empty_like(x)
        cols = x.shape[-1]
        rows = x.numel() // cols
        kernel(
            x.data_ptr(),
            bias.data_ptr(),
            weight.data_ptr(),
            shift.data_ptr(),
            out.data_ptr(),
            rows,
            cols,
            self.norm.eps,
        )
        return out
