# expect: mismatch values | mismatch non_finite
# problem: returns_to_go
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Chunks of 128 steps side by side; each takes what comes from the next chunk only."""
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma
    def forward(self, rewards, dones):
        T, B = rewards.shape
        c = 128 if T % 128 == 0 else T
        n = T // c
        f = (~dones).to(rewards.dtype) * self.gamma
        r = rewards.view(n, c, B); f = f.view(n, c, B)
        loc = torch.empty_like(r); pr = torch.empty_like(r)
        acc = torch.zeros(n, B); p = torch.ones(n, B)
        for t in range(c - 1, -1, -1):
            acc = r[:, t] + f[:, t] * acc
            p = p * f[:, t]
            loc[:, t] = acc; pr[:, t] = p
        nxt = torch.cat([loc[1:, 0], torch.zeros(1, B)])
        return (loc + pr * nxt[:, None]).view(T, B)
