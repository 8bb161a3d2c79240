"""For the checks that are many small tests in one file: functions called test_*."""

import sys
import traceback

import torch


def raises(kind, function, *parts):
    """Whether it raises `kind` with all `parts` in its message."""
    try:
        function()
    except kind as error:
        missing = [part for part in parts if part not in str(error)]
        assert not missing, f"no {missing} in: {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


def run(module):
    """The tests of a module's globals(): those that failed with their traces. Parts of names as arguments select. 0 if all is well."""
    selected = sys.argv[1:] or [""]
    tests = [(name, test) for name, test in module.items()
             if name.startswith("test_") and any(part in name for part in selected)]
    failed = []
    for name, test in tests:
        torch.manual_seed(0)
        try:
            test()
        except Exception:  # whatever it is, this test has failed
            failed.append(name)
            print(f"FAIL {name}\n{traceback.format_exc()}")
    print(f"{len(tests) - len(failed)} of {len(tests)} tests passed")
    return 1 if failed or not tests else 0
