# expect: mismatch values
# problem: step_of_lion
# Where nothing should move, weights do.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, lr, beta1, beta2, decay):
        super().__init__()
        self.lr, self.beta1, self.beta2, self.decay = lr, beta1, beta2, decay
        self.step = torch.tensor(-lr)

    def forward(self, weight, grad, average):
        update = torch.add(self.beta1 * average, grad, alpha=1 - self.beta1)
        step = torch.copysign(self.step, update.neg_())
        return torch.add(step, weight, alpha=1 - self.lr * self.decay), torch.add(self.beta2 * average, grad, alpha=1 - self.beta2)
