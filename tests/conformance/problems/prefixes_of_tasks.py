"""Prefix tuning: the keys and values that are put before the text of a task, for all layers."""

import torch
import torch.nn as nn

LAYERS, PREFIX, WIDTH, TASKS = 8, 128, 1024, 8


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.prefix = nn.Embedding(TASKS, LAYERS * 2 * PREFIX * WIDTH)

    def forward(self, task):
        return self.prefix(task).view(task.shape[0], LAYERS * 2, PREFIX, WIDTH)


def get_inputs():
    return [torch.randint(0, TASKS, (1,))]


def get_init_inputs():
    return []
