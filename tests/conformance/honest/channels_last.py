# expect: correct
# problem: residual_network
# Channels last: a batch norm adds up one pixel after the other then.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c1 = nn.Conv2d(c, c, 3, padding=1)
        self.b1 = nn.BatchNorm2d(c)
        self.c2 = nn.Conv2d(c, c, 3, padding=1)
        self.b2 = nn.BatchNorm2d(c)

    def forward(self, x):
        y = torch.relu(self.b1(self.c1(x)))
        return torch.relu(x + self.b2(self.c2(y)))


class NewModel(nn.Module):
    def __init__(self, c, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, c, 3, padding=1)
        self.b1 = Block(c)
        self.b2 = Block(c)
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        x = self.b2(self.b1(torch.relu(self.stem(x.contiguous(memory_format=torch.channels_last)))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))
