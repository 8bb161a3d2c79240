"""What is claimed follows from the two intervals that are told; a candidate that is as fast as the baseline does not
win, one that is slower beyond doubt is called so.

Now and then equals look different: a claim may be wrong, and is in less than one of twenty sessions. Five copies of
the reference that are all called faster are no accident."""

from promise import TINY_NORM as PROBLEM, expect, tiny_norm

COPIES = [f"equal {number}" for number in range(5)]
# Different texts: the same code is not evaluated twice.
CANDIDATES = {name: tiny_norm(f"copy = {number}\nreturn right(x)") for number, name in enumerate(COPIES)}
CANDIDATES["slower"] = tiny_norm("time.sleep(0.02)\nreturn right(x)", "import time")


def claim_of(speedup, noise):
    margin = max(noise["high"], 1 / noise["low"], 1)
    return "faster" if speedup["low"] > margin else "slower" if speedup["high"] < 1 / margin else "no difference"


def check(found, world):
    for name, result in found.items():
        expect(found, name, "correct")
        speedup, noise = result["speedup"], result["timings"]["noise"]
        assert 0 < noise["low"] <= noise["value"] <= noise["high"], f"{name}: noise {noise}"
        assert result["claim"] == claim_of(speedup, noise), f"{name}: {result['claim']}: {speedup}, noise {noise}"
    assert found["slower"]["claim"] == "slower", f"20 ms more, and the claim is {found['slower']['claim']!r}"
    claims = [found[name]["claim"] for name in COPIES]
    assert claims != ["faster"] * len(COPIES), "five copies of the reference are all faster than it"
