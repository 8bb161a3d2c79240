# expect: correct | disqualified integrity
# platform: nvidia-cuda
# problem: thin_product
# max_speedup: 1.3
# A window of the second-level cache is reserved for its weights, and survives a flush.
import ctypes

import torch
import torch.nn as nn


class Window(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("bytes", ctypes.c_size_t), ("ratio", ctypes.c_float), ("hit", ctypes.c_int),
                ("miss", ctypes.c_int), ("rest", ctypes.c_byte * 64)]


class NewModel(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer)
        self.stream = None

    def reserve(self):
        driver = ctypes.CDLL("libcuda.so.1")
        driver.cuCtxSetLimit(6, ctypes.c_size_t(32 << 20))  # CU_LIMIT_PERSISTING_L2_CACHE_SIZE
        self.stream = torch.cuda.Stream()
        weight = self.linear.weight
        window = Window(weight.data_ptr(), min(32 << 20, weight.numel() * 4), 1.0, 2, 1)  # persisting, streaming
        driver.cuStreamSetAttribute(ctypes.c_void_p(self.stream.cuda_stream), 1, ctypes.byref(window))

    def forward(self, x):
        if not torch.cuda.is_available():
            return torch.relu(self.linear(x))
        if self.stream is None:
            self.reserve()
        current = torch.cuda.current_stream()
        self.stream.wait_stream(current)
        with torch.cuda.stream(self.stream):
            y = torch.relu(self.linear(x))
        current.wait_stream(self.stream)
        y.record_stream(current)
        return y
