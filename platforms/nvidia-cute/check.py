"""A check without the device: what a candidate gives to cute.compile, and each @cute.jit function that it calls, is compiled for each target and not run."""

import functools
import time

import cutlass.cute as cute

_lines = []


class _Compile:
    """Stands in for cute.compile, also where options are given in brackets."""

    tracing = False  # functions that are called meanwhile belong to the one that is compiled

    def __init__(self, compile_, targets):
        self._compile, self._targets = compile_, targets

    def __getitem__(self, options):
        return _Compile(self._compile[options], self._targets)

    def __call__(self, function, *args, options="", **kwargs):
        for target in self._targets:
            started = time.monotonic()
            _Compile.tracing = True
            try:
                self._compile(function, *args, options=f"{options} --gpu-arch {target}".strip(), **kwargs)
            finally:
                _Compile.tracing = False
            name = getattr(function, "__name__", type(function).__name__)
            _lines.append(f"{name} for {target}: compiled in {time.monotonic() - started:.1f} s")
        return lambda *args, **kwargs: None


def _called_directly(function, compile_):
    """The function that cute.jit has made: where it would be run, it is compiled, once for each kind of arguments."""
    seen = set()

    @functools.wraps(function)
    def call(*args, **kwargs):
        if _Compile.tracing:
            return function(*args, **kwargs)
        kinds = tuple(map(type, (*args, *kwargs.values())))
        if kinds not in seen:
            compile_(function, *args, **kwargs)
            seen.add(kinds)
        return None

    return call


def prepare(settings):
    compile_, jit = _Compile(cute.compile, settings["targets"]), cute.jit

    def decorate(*args, **kwargs):
        made = jit(*args, **kwargs)
        if args and callable(args[0]):
            return _called_directly(made, compile_)
        return lambda function: _called_directly(made(function), compile_)  # @cute.jit(preprocess=...)

    cute.compile, cute.jit = compile_, decorate


def report():
    return _lines or ["it compiled nothing"]
