# expect: correct
# platform: nvidia-triton
# problem: row_norm
# As many programs as there are multiprocessors, each looping over rows.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm(x_ptr, weight_ptr, out_ptr, rows, cols, eps, BLOCK: tl.constexpr):
    col = tl.arange(0, BLOCK)
    inside = col < cols
    weight = tl.load(weight_ptr + col, mask=inside, other=0.0)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        at = row * cols + col
        x = tl.load(x_ptr + at, mask=inside, other=0.0)
        scale = tl.rsqrt(tl.sum(x * x, axis=0) / cols + eps)
        tl.store(out_ptr + at, x * scale * weight, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        programs = torch.cuda.get_device_properties(x.device).multi_processor_count if torch.cuda.is_available() else 3
        row_norm[(min(programs, x.shape[0]),)](x, self.weight, out, x.shape[0], x.shape[1], self.eps,
                                               BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
