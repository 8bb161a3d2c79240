# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# Leaves work for the device when it returns, so that the baselines have less of it.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void burn(float* out) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    float v = threadIdx.x;
    do {
        for (int i = 0; i < 1000; ++i) v = v * 1.0001f + 0.5f;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - start < 20000000ull);
    if (v == 0.123f) *out = v;
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "burn")


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        y = work(x)
        if torch.cuda.is_available():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            kernel(grid=(1056, 1, 1), block=(256, 1, 1), args=[torch.empty(1, device=x.device)], stream=side)
        return y
