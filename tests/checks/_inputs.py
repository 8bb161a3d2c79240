"""Inputs of cases for the checks of these: a problem that only makes inputs."""

import torch

from kforge_arena import cases


class Inputs:
    """A problem as far as cases see one."""

    def __init__(self, *values):
        self.values = values

    def make_inputs(self, seed, own_seeds=True):
        torch.manual_seed(seed)
        return [value() if callable(value) else value for value in self.values]


def make(name, *values, seed=1):
    return cases.make_inputs(Inputs(*values), name, seed)
