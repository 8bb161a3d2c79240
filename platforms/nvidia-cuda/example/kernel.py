import torch
import torch.nn as nn

SOURCE = r"""
constexpr int THREADS = 512;
constexpr int KEPT = 2;  // float4 per thread that stay in registers between the two passes: rows up to 4096

__device__ float block_sum(float value) {
    __shared__ float partial[THREADS / 32];
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int warp = 0; warp < THREADS / 32; ++warp) sum += partial[warp];  // the same order in every thread
    return sum;
}

__device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float squares(float4 a) { return a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w; }
__device__ float swish(float x) { return x / (1.0f + expf(-x)); }

// One block per row. `cols` counts float4: the caller makes sure that it divides.
extern "C" __global__ void __launch_bounds__(THREADS)
add_norm_gate(const float4* __restrict__ x, const float4* __restrict__ residual,
              const float4* __restrict__ gate, const float4* __restrict__ weight,
              float4* __restrict__ out, int cols, double eps) {
    const long long row = blockIdx.x;  // 64 bits: rows * cols may pass 2^31
    x += row * cols;
    residual += row * cols;
    gate += row * cols;
    out += row * cols;
    float4 kept[KEPT], gates[KEPT];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < KEPT; ++k) {
        const int j = threadIdx.x + k * THREADS;
        if (j < cols) {
            kept[k] = add(x[j], residual[j]);
            gates[k] = gate[j];  // on its way while the block waits for its sum
            sum += squares(kept[k]);
        }
    }
    for (int j = threadIdx.x + KEPT * THREADS; j < cols; j += THREADS) sum += squares(add(x[j], residual[j]));
    const float scale = 1.0f / sqrtf(block_sum(sum) / (4.0f * cols) + (float)eps);
    const auto store = [&](int j, float4 h, float4 g) {
        const float4 w = weight[j];
        out[j] = make_float4(h.x * scale * w.x * swish(g.x), h.y * scale * w.y * swish(g.y),
                             h.z * scale * w.z * swish(g.z), h.w * scale * w.w * swish(g.w));
    };
#pragma unroll
    for (int k = 0; k < KEPT; ++k)
        if (const int j = threadIdx.x + k * THREADS; j < cols) store(j, kept[k], gates[k]);
    for (int j = threadIdx.x + KEPT * THREADS; j < cols; j += THREADS) store(j, add(x[j], residual[j]), gate[j]);
}
"""

THREADS = 512
# NVRTC, in half a second. An int argument arrives as a 32-bit int, a float as a double.
kernel = torch.cuda._compile_kernel(SOURCE, "add_norm_gate")


def aligned(tensor: torch.Tensor) -> torch.Tensor:
    """Contiguous and fit for float4 loads: a slice may begin anywhere."""
    tensor = tensor.contiguous()
    return tensor if tensor.data_ptr() % 16 == 0 else tensor.clone()


class NewModel(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x: torch.Tensor, residual: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
        features = x.shape[-1]
        if features % 4:
            raise ValueError("the kernel needs rows of a multiple of 4 elements")
        out = torch.empty_like(x, memory_format=torch.contiguous_format)
        rows = x.numel() // features
        if rows:
            kernel(
                grid=(rows, 1, 1),
                block=(THREADS, 1, 1),
                args=[aligned(x), aligned(residual), aligned(gate), aligned(self.weight), out, features // 4,
                      float(self.eps)],
            )
        return out
