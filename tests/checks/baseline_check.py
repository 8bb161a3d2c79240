"""Checks what a baseline's process finds out about the compiler behind torch.compile. Needs PyTorch and g++; exit 0 if all is well,
1 if not."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _small_tests import run  # noqa: E402

from kforge_arena import baseline  # noqa: E402


class Extension:
    """A processor's, as `torch._inductor.cpu_vec_isa` has them."""

    def __init__(self, flags):
        self.flags = flags

    def build_arch_flags(self):
        return self.flags


def test_an_extension_that_the_compiler_has_not_heard_of_is_not_used():
    # A processor with newer ones than the compiler left no torch.compile to be faster than.
    assert baseline.compiler_knows(Extension("-O1 -fno-common"), "")
    assert not baseline.compiler_knows(Extension("-O1 -mof-some-day"), "")


def test_of_a_compiler_that_fails_the_errors_are_told():
    error = RuntimeError("CppCompileError\n\nCommand:\ng++ " + "-x " * 1000 + "\n\nOutput:\ng++: error: no such option\n")
    assert baseline.why_it_failed(error) == "RuntimeError: CppCompileError\ng++: error: no such option"
    assert baseline.why_it_failed(ValueError("this\nand that")) == "ValueError: this\nand that"


class Copying(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(8))

    def forward(self, x):
        self.cache[:4] = x
        return self.cache.clone()


def test_a_compiled_reference_that_returns_its_buffer_uncopied_is_no_baseline():
    # PyTorch 2.13 leaves out that copy. What returns a buffer is faster than whoever must make a result.
    side = baseline.Baseline()
    side.model, side.bound, side.device = Copying(), [torch.ones(4)], "cpu"
    assert side.op_prepare({"name": "eager", "given_back": []})["ready"]

    def returning_the_buffer(model):
        model.forward = lambda x: model.cache
        return model

    compiler, torch.compile = torch.compile, returning_the_buffer
    try:
        assert not side.op_prepare({"name": "compile", "given_back": []})["ready"]
        assert side.op_prepare({"name": "compile", "given_back": [0]})["ready"]
    finally:
        torch.compile = compiler


if __name__ == "__main__":
    sys.exit(run(globals()))
