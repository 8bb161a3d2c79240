"""A check without the device: what a candidate gives to cute.compile, and each @cute.jit function that it calls itself, is
compiled for each target and not run."""

import functools
import re
import time

import cutlass.cute as cute

from kforge_arena.offline import CompilationError

_lines = []
# Bytes of shared memory that one block may have: a launch asks for it, compiling does not.
_SHARED = {"sm_80": 166912, "sm_90a": 232448, "sm_100a": 232448}
# The third field of a launch's configuration in the host's code, and what is stored there.
_CONFIGURED = re.compile(r"getelementptr \S+\[0, 2\][^\n]*array<3 x i32>, array<3 x i32>, i64[^\n]*\n\s*llvm\.store (%\w+),")


def _shared_memory(compiled):
    """What the launches of a compiled function ask for, at most: 0 where that is no constant, or the code looks different."""
    code, most = str(getattr(compiled, "ir_module", None) or ""), 0
    for found in _CONFIGURED.finditer(code):
        constants = re.findall(rf"{found[1]} = llvm\.mlir\.constant\((\d+) : i64\)", code[:found.start()])
        most = max([most, *map(int, constants[-1:])])  # names begin anew in each function: the last one counts
    return most


class _Compile:
    """Stands in for cute.compile, also where options are given in brackets."""

    tracing = False  # functions that are called meanwhile belong to the one that is compiled

    def __init__(self, compile_, targets):
        self._compile, self._targets = compile_, targets

    def __getitem__(self, options):
        return _Compile(self._compile[options], self._targets)

    def __call__(self, function, *args, options="", **kwargs):
        fits, name = False, getattr(function, "__name__", type(function).__name__)
        for target in self._targets:
            started = time.monotonic()
            _Compile.tracing = True
            try:
                compiled = self._compile(function, *args, options=f"{options} --gpu-arch {target}".strip(), **kwargs)
            finally:
                _Compile.tracing = False
            line = f"{name} for {target}: compiled in {time.monotonic() - started:.1f} s"
            needed, there = _shared_memory(compiled), _SHARED.get(target, 0)
            fits = fits or needed <= there or not there
            _lines.append(line if needed <= there or not there else f"{line}, but {needed} bytes of shared memory are too many there")
        if not fits:
            raise CompilationError(f"{name} asks for {needed} bytes of shared memory per block; a block can have {there}")
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


def tally():
    return len(_lines), len(_lines)
