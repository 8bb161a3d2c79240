# expect: correct
# problem: row_sum
# options: --timing-budget-s 0.4
# Opens files of the system: whoever watches these folders, in whatever namespace, is told by the kernel, also while stopped.
import torch.nn as nn

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        if len(CALLS) > 14:
            for name in ("stdio.h", "stdlib.h"):
                open(f"/usr/include/{name}").close()
        return x.sum(dim=-1)
