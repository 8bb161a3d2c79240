"""Beside a candidate under Triton's interpreter: `@triton.autotune` times its configurations on a device, and there is none. All are
called equally fast, so that the first is taken."""

from triton.runtime.autotuner import Autotuner


def prepare(settings):
    Autotuner._bench = lambda self, *args, config, **meta: [1.0, 1.0, 1.0]


def report():
    return []
