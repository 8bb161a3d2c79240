import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_swish_norm(
    x_ptr, bias_ptr, weight_ptr, out_ptr, rows, cols, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    # One program normalizes ROWS whole rows: they stay in registers from the one load to the one store.
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, BLOCK)
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    place = row.to(tl.int64)[:, None] * cols + col[None, :]  # 64 bits: rows * cols may pass 2**31
    bias = tl.load(bias_ptr + col, mask=col < cols, other=0.0)
    weight = tl.load(weight_ptr + col, mask=col < cols, other=0.0)
    x = tl.load(x_ptr + place, mask=inside, other=0.0) + bias[None, :]
    y = x * tl.sigmoid(x)
    y = tl.where(inside, y, 0.0)  # what lies outside must not enter the sum
    scale = tl.rsqrt(tl.sum(y * y, axis=1) / cols + eps)
    tl.store(out_ptr + place, y * scale[:, None] * weight[None, :], mask=inside)


class NewModel(nn.Module):
    def __init__(self, in_features: int, out_features: int, eps: float = 1e-6):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.weight = nn.Parameter(torch.ones(out_features))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # The library does the product; everything behind it is one pass over the result, in place: it is ours.
        y = torch.mm(x.reshape(-1, x.shape[-1]), self.linear.weight.t())
        rows, cols = y.shape
        block = triton.next_power_of_2(cols)
        per_program = max(1, 2048 // block)
        warps = max(4, min(16, per_program * block // 512))
        bias_swish_norm[(triton.cdiv(rows, per_program),)](
            y, self.linear.bias, self.weight, y, rows, cols, self.eps,
            ROWS=per_program, BLOCK=block, num_warps=warps,
        )
        return y.view(*x.shape[:-1], cols)
