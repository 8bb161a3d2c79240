# expect: correct | runtime_error out_of_memory | disqualified integrity
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# Takes nearly all memory of the device, so that others have none.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


KEPT = []


class NewModel(nn.Module):
    def forward(self, x):
        if torch.cuda.is_available() and not KEPT:
            work(x)
            free, _ = torch.cuda.mem_get_info()
            KEPT.append(torch.empty(max(0, free - (2 << 30)), dtype=torch.uint8, device=x.device))
        return work(x)
