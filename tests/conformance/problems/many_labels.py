"""The loss of labels of many kinds, and how often the best score is right: by chance hardly ever."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, scores, labels):
        return F.cross_entropy(scores, labels), (scores.argmax(1) == labels).float().mean()


def get_inputs():
    return [torch.randn(32, 8192), torch.randint(0, 8192, (32,))]


def get_init_inputs():
    return []
