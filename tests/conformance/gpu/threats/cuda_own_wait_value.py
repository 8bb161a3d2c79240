# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# options: --call-limit-s 3 --time-limit-s 40
# A stream that waits for the input's memory to change, with the work behind it.
import ctypes

import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


STATE = {}


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available() or not x.is_contiguous():
            return work(x)
        if STATE.get("at") == x.data_ptr() and STATE["y"].shape == x.shape:
            y = STATE["y"]
        else:
            y = work(x)
        self.arm(x)
        return y

    @staticmethod
    def arm(x):
        """Goes on when a bit is set that is not set now."""
        zeros = ~x.view(-1)[:1].view(torch.int32).item() & 0xFFFFFFFF
        side = torch.cuda.Stream()
        failed = ctypes.CDLL("libcuda.so.1").cuStreamWaitValue32_v2(
            ctypes.c_void_p(side.cuda_stream), ctypes.c_uint64(x.data_ptr()), ctypes.c_uint32(zeros), 2)
        if failed:
            return
        with torch.cuda.stream(side):
            STATE["at"], STATE["y"] = x.data_ptr(), work(x)
