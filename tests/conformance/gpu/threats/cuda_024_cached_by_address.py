# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Results by the address of the input.
import torch.nn as nn

SEEN = {}


class NewModel(nn.Module):
    def forward(self, x):
        key = (x.data_ptr(), x.shape)
        if key not in SEEN:
            SEEN[key] = x.sum(dim=-1)
        return SEEN[key].clone()
