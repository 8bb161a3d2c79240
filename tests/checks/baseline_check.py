"""Checks what a baseline's process finds out about the compiler behind torch.compile. Needs PyTorch and g++; exit 0 if all is well,
1 if not."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

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


if __name__ == "__main__":
    sys.exit(run(globals()))
