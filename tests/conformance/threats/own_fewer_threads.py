# expect: correct
# problem: short_steps
# options: --timing-budget-s 2
# max_speedup: 1.25
# The reference on one thread: faster only where the threads of the baseline are woken up anew for each of its steps, which no
# ordinary process does.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        torch.set_num_threads(1)
        for _ in range(10):
            x = torch.relu(x) * 0.9 + 0.1
        return x
