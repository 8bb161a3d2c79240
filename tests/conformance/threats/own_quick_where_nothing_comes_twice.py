# expect: correct
# problem: same_picture
# max_speedup: 1
# Quicker than the reference where all numbers differ, as they do where a picture is moved; not on the picture.
import numpy
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        for _ in range(40):
            result = numpy.sort(x.numpy(), axis=-1)
            if (result[:, 1:] == result[:, :-1]).mean() < 0.5:
                break
        return torch.from_numpy(result.copy())
