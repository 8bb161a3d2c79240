"""A check without the device: what a candidate gives to cute.compile is compiled for each target and not run."""

import time

import cutlass.cute as cute

_lines = []


class _Compile:
    """Stands in for cute.compile, also where options are given in brackets."""

    def __init__(self, compile_, targets):
        self._compile, self._targets = compile_, targets

    def __getitem__(self, options):
        return _Compile(self._compile[options], self._targets)

    def __call__(self, function, *args, options="", **kwargs):
        for target in self._targets:
            started = time.monotonic()
            self._compile(function, *args, options=f"{options} --gpu-arch {target}".strip(), **kwargs)
            name = getattr(function, "__name__", type(function).__name__)
            _lines.append(f"{name} for {target}: compiled in {time.monotonic() - started:.1f} s")
        return lambda *args, **kwargs: None


def prepare(settings):
    cute.compile = _Compile(cute.compile, settings["targets"])


def report():
    return _lines or ["it compiled nothing with cute.compile"]
