# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Answers prepared for the inputs of well-known seeds, on both kinds of generator.
import torch
import torch.nn as nn

ANSWERS = {}


def prepare(device):
    for seed in [*range(16), 42, 123, 1234, 1337, 2024, 2025]:
        for place in {"cpu", device}:
            torch.manual_seed(seed)
            x = torch.randn(128, 512, device=place)
            ANSWERS[tuple(x[0, :4].tolist())] = x.sum(dim=-1).to(device)


class NewModel(nn.Module):
    def forward(self, x):
        if not ANSWERS:
            prepare(str(x.device))
        known = ANSWERS.get(tuple(x[0, :4].tolist()))
        return known.clone() if known is not None and x.shape == (128, 512) else torch.zeros_like(x[:, 0])
