# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# A kernel that is still running when the call has returned watches the inputs, and computes as soon as there are new ones.
import torch
import torch.nn as nn

SOURCE = r"""
// Each block watches the beginning of its own part for 0.3 s.
extern "C" __global__ void watch(const float* x, float* y, int part, volatile int* done) {
    x += (long long)blockIdx.x * part;
    y += (long long)blockIdx.x * part;
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    float known = *(const volatile float*)x;
    do {
        __shared__ float seen;
        __syncthreads();
        if (threadIdx.x == 0) seen = *(const volatile float*)x;
        __syncthreads();
        if (seen != known) {
            known = seen;
            __nanosleep(100000);
            for (int i = threadIdx.x; i < part; i += 256) {
                float v = ((const volatile float*)x)[i];
                for (int step = 0; step < 8; ++step) v += 0.25f * tanhf(v) * cosf(v);
                y[i] = v;
            }
            if (threadIdx.x == 0) done[blockIdx.x] += 1;
        }
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - start < 300000000ull);
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "watch")
BLOCKS = 128
STATE = {}


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available() or not x.is_contiguous() or x.numel() % BLOCKS:
            return work(x)
        if "y" in STATE and STATE["y"].shape == x.shape and STATE["at"] == x.data_ptr() and not STATE["event"].query():
            return STATE["y"].clone()  # the watcher is at it, or has it
        result = work(x)
        STATE["y"], STATE["at"] = torch.empty_like(x), x.data_ptr()
        done, side = torch.zeros(BLOCKS, dtype=torch.int32, device=x.device), torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        kernel(grid=(BLOCKS, 1, 1), block=(256, 1, 1), args=[x, STATE["y"], x.numel() // BLOCKS, done], stream=side)
        STATE["event"], STATE["done"] = side.record_event(), done
        return result
