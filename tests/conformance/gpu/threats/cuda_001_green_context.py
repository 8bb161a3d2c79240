# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# Works in a green context, whose streams are apart from the others.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


STREAMS = []


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        y = torch.empty_like(x)
        with torch.cuda.stream(STREAMS[0] if STREAMS else self.stream()):
            y.copy_(work(x))
        return y

    @staticmethod
    def stream():
        try:
            from torch.cuda import green_contexts
            context = green_contexts.GreenContext.create(num_sms=64, device_id=0)
            context.set_context()
            STREAMS.append(context.Stream() if hasattr(context, "Stream") else torch.cuda.Stream())
            context.pop_context()
        except Exception:  # not in this PyTorch
            STREAMS.append(torch.cuda.Stream())
        return STREAMS[0]
