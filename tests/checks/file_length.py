#!/usr/bin/env python3
"""How long files may be: a hard limit of 800 lines, a list of those over 400, the median of the C++ files under
150, end-to-end tests at most 40 lines. --self-test only proves that the check can fail."""

import statistics
import sys

from _sources import files, finish, read

HARD_LIMIT = 800
SOFT_LIMIT = 400
MEDIAN_LIMIT = 150
E2E_LIMIT = 40
CPP = {".cpp", ".hpp", ".h"}


def is_code(name, text):
    return name.suffix in CPP | {".py", ".sh"} or (not name.suffix and text.startswith("#!"))


def judge(lengths):
    """Takes path -> lines; gives (violations, warnings, median)."""
    violations, warnings = [], []
    for name, lines in lengths.items():
        limit = E2E_LIMIT if name.parts[:2] == ("tests", "e2e") and name.suffix == ".sh" else HARD_LIMIT
        if lines > limit:
            violations.append(f"{name}:{limit + 1}: {lines} lines, the limit is {limit}")
        elif lines > SOFT_LIMIT:
            warnings.append(f"warning: {name} has {lines} lines: over {SOFT_LIMIT}, time to split it")
    median = statistics.median([lines for name, lines in lengths.items() if name.suffix in CPP] or [0])
    if median >= MEDIAN_LIMIT:
        violations.append(f"the median C++ file has {median:g} lines, it should be under {MEDIAN_LIMIT}")
    return violations, warnings, median


def self_test():
    from pathlib import Path as P
    assert judge({P("a.cpp"): 10, P("b.py"): 800}) == ([], ["warning: b.py has 800 lines: over 400, time to split it"], 10)
    assert "b.py:801: 801 lines" in judge({P("b.py"): 801})[0][0]
    assert "tests/e2e/x.sh:41:" in judge({P("tests/e2e/x.sh"): 41})[0][0]
    assert "median" in judge({P("a.cpp"): 150, P("b.hpp"): 150})[0][0]


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    texts = {name: read(name) for name in files()}
    lengths = {name: text.count("\n") for name, text in texts.items() if is_code(name, text)}
    violations, warnings, median = judge(lengths)
    for warning in warnings:
        print(warning)
    return finish(violations, f"{len(lengths)} files; the median C++ file has {median:g} lines")


if __name__ == "__main__":
    sys.exit(main())
