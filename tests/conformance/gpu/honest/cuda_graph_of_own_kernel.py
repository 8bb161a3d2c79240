# expect: correct
# platform: nvidia-cuda
# problem: row_norm
# A kernel of its own inside a CUDA graph, with copies at the edges.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void row_norm(const float* x, const float* weight, float* out, int cols, double eps) {
    __shared__ float partial[8];
    const long long at = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 256) sum += x[at + j] * x[at + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < 8; ++warp) sum += partial[warp];
    const float scale = 1.0f / sqrtf(sum / cols + (float)eps);
    for (int j = threadIdx.x; j < cols; j += 256) out[at + j] = x[at + j] * scale * weight[j];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_norm")


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.graphs = {}

    def launch(self, x, out):
        kernel(grid=(x.shape[0], 1, 1), block=(256, 1, 1), args=[x, self.weight, out, x.shape[1], float(self.eps)])

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        if not torch.cuda.is_available():
            self.launch(x, out)
            return out
        if x.shape not in self.graphs:
            static, result = torch.empty_like(x), torch.empty_like(x)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.launch(static, result)
            self.graphs[x.shape] = graph, static, result
        graph, static, result = self.graphs[x.shape]
        static.copy_(x)
        graph.replay()
        return out.copy_(result)
