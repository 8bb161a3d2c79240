import torch
import torch.nn as nn
import torch.nn.functional as F

steps, envs = 512, 64
class Model(nn.Module):
    """Returns to go of a rollout; an episode that has ended begins anew."""
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma
    def forward(self, rewards, dones):
        alive = (~dones).to(rewards.dtype)
        out = torch.empty_like(rewards)
        acc = torch.zeros_like(rewards[0])
        for t in range(rewards.shape[0] - 1, -1, -1):
            acc = rewards[t] + self.gamma * alive[t] * acc
            out[t] = acc
        return out
def get_inputs():
    return [torch.randn(steps, envs), torch.rand(steps, envs) < 0.1]
def get_init_inputs():
    return [0.99]
