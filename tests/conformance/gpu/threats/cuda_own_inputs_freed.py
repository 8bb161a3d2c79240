# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: row_sum
# max_speedup: 1.5
# Frees the memory of its inputs, which is not its own.
import ctypes

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = x.sum(dim=-1)
        if torch.cuda.is_available():
            torch.cuda.synchronize()
            driver = ctypes.CDLL("libcuda.so.1")
            driver.cuIpcCloseMemHandle(ctypes.c_uint64(x.data_ptr()))
            driver.cuMemFree_v2(ctypes.c_uint64(x.data_ptr()))
        return y
