"""Beside a candidate under Triton's interpreter. `@triton.autotune` times its configurations on a device, and there is none: all are
called equally fast, so that the first is taken. And bounds of loops that are computed are arrays of one element to the interpreter, which
NumPy 2.4 and later no longer take for a number."""

from triton.runtime import interpreter
from triton.runtime.autotuner import Autotuner


def prepare(settings):
    Autotuner._bench = lambda self, *args, config, **meta: [1.0, 1.0, 1.0]
    patch = interpreter._patch_lang_tensor

    def patch_with_index(tensor, *scope):
        patch(tensor, *scope)
        tensor.__index__ = lambda self: int(self.handle.data.item())  # what the scope restores later is the original

    interpreter._patch_lang_tensor = patch_with_index


def report():
    return []
