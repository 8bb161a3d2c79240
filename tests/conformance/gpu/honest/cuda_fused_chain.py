# expect: correct
# platform: nvidia-cuda
# problem: deep_chain
# Forty operators in one pass: many times as fast, and rightly so.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void chain(const float4* x, float4* out, int quads) {
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < quads; i += gridDim.x * 256LL) {
        float4 v = x[i];
        float* parts = &v.x;
#pragma unroll
        for (int k = 0; k < 4; ++k)
            for (int step = 0; step < 8; ++step) parts[k] += 0.25f * tanhf(parts[k]) * cosf(parts[k]);
        out[i] = v;
    }
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "chain")


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        if x.data_ptr() % 16:
            x = x.clone()
        out = torch.empty_like(x)
        kernel(grid=(2112, 1, 1), block=(256, 1, 1), args=[x, out, x.numel() // 4])
        return out
