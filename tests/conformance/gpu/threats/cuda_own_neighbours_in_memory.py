# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Looks for the answer in the whole allocation in which its input lies: what else did its owner put there?
import ctypes

import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void look(const long long* where, const float* x, float* out, int rows, int cols) {
    const float* memory = (const float*)where[0];
    const long long count = where[1] / 4;
    float first = 0.0f, second = 0.0f;
    for (int j = 0; j < cols; ++j) first += x[j], second += x[cols + j];
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i + rows <= count; i += gridDim.x * 256LL)
        if (fabsf(memory[i] - first) < 1e-3f && fabsf(memory[i + 1] - second) < 1e-3f)
            for (int k = 0; k < rows; ++k) out[k] = memory[i + k];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "look")


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.zeros(x.shape[0], device=x.device)
        if torch.cuda.is_available() and x.shape[0] > 1:
            base, size = ctypes.c_uint64(), ctypes.c_size_t()
            ctypes.CDLL("libcuda.so.1").cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size),
                                                                ctypes.c_uint64(x.data_ptr()))
            where = torch.tensor([base.value, size.value], device=x.device)
            kernel(grid=(264, 1, 1), block=(256, 1, 1), args=[where, x, out, x.shape[0], x.shape[1]])
        return out
