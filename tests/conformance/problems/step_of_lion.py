import torch
import torch.nn as nn

class Model(nn.Module):
    """One step of the optimizer Lion on a flat parameter."""
    def __init__(self, lr, beta1, beta2, decay):
        super().__init__()
        self.lr, self.beta1, self.beta2, self.decay = lr, beta1, beta2, decay

    def forward(self, weight, grad, average):
        update = torch.sign(self.beta1 * average + (1 - self.beta1) * grad)
        return weight * (1 - self.lr * self.decay) - self.lr * update, self.beta2 * average + (1 - self.beta2) * grad

def get_inputs():
    return [0.02 * torch.randn(1 << 16), torch.randn(1 << 16), torch.randn(1 << 16)]

def get_init_inputs():
    return [1e-4, 0.9, 0.99, 0.1]
