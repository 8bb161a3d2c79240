"""A candidate tells of each input whether it came before; others begin to make mistakes when they are timed."""

import collections
import itertools
import re

from promise import TINY_NORM as PROBLEM, expect, samples, tiny_norm

TELLS = '''
if x.is_contiguous() and x.shape == (64, 256):
    print("call", hashlib.sha1(x.numpy().tobytes()).hexdigest()[:8], flush=True)
return right(x)
'''
# One number of 16384 is wrong, in the second half of them.
ERRS = '''
y = right(x)
CALLS.append(1)
if len(CALLS) > {right_calls}:
    y.view(-1)[8192 + CALLS[-1] * random.randrange(8000)] += 0.5
return y
'''
# The same in one call only, of those that have the problem's own values: calls with other ones come in between.
ERRS_ONCE = ERRS.replace("CALLS.append(1)", "CALLS.extend([1] * (len(CALLS) < {before} or usual(x)))").replace(
    "if len(CALLS) > {right_calls}:", "if len(CALLS) == {right_calls} + 1 and usual(x):")
USUAL = '''
import random

CALLS = []


def usual(x):
    parts = (x[:32], x[32:], x[:, :128], x[:, 128:])
    return x.abs().max() < 7 and x.std(1).min() > 0.5 and all(0.9 < part.std() < 1.1 and part.mean().abs() < 0.1 for part in parts)
'''
BEFORE_TIMING, MORE_BY_LOT = 11, 2  # calls, at least; those that may come as well
WARM_UP = 9
ALWAYS_COMPARED = 7  # timed calls

CANDIDATES = {"tells": tiny_norm(TELLS, "import hashlib"), "tells as well": tiny_norm(TELLS, "import hashlib  # too")}
for timed in (2, 4, ALWAYS_COMPARED - MORE_BY_LOT):
    before = BEFORE_TIMING + MORE_BY_LOT + WARM_UP
    CANDIDATES[f"errs once, in timed call {timed} to {timed + MORE_BY_LOT}"] = tiny_norm(
        ERRS_ONCE.format(before=before, right_calls=before + timed - 1), USUAL)
for calls in range(BEFORE_TIMING + MORE_BY_LOT, BEFORE_TIMING + MORE_BY_LOT + 4):
    CANDIDATES[f"errs after {calls}"] = tiny_norm(ERRS.format(right_calls=calls), "import random\n\nCALLS = []")


def calls_of(result):
    return re.findall(r"^call (\w+)$", result["output"], re.M)


def calls_of_the_race(calls):
    """How many come before it, and those between the ones to warm up and the idle ones at the end, which have the same inputs again and
    again. Cases are among them, and may have come before."""
    runs = [(call, len(list(run))) for call, run in itertools.groupby(calls)]
    first, *_, last = (index for index, (_, length) in enumerate(runs) if length >= WARM_UP)
    return sum(length for _, length in runs[:first]), [call for call, length in runs[first + 1:last] for _ in range(length)]


def check(found, world):
    expect(found, "tells", "correct")
    calls = calls_of(found["tells"])
    (before, race), timed = calls_of_the_race(calls), len(samples(found["tells"]))
    assert before >= BEFORE_TIMING, f"only {before} calls came before those of the race"
    times = collections.Counter(calls)
    new = [call for call in race if times[call] == 1]
    assert len(new) >= timed, f"of {timed} timed calls {len(new)} at most had inputs that did not come before"
    own = set(new) - set(calls_of(found["tells as well"]))
    assert len(own) >= timed, f"of {timed} timed calls {len(own)} at most had inputs that no other candidate got"
    for name in CANDIDATES:
        if name.startswith("errs"):
            expect(found, name, "mismatch values")
        if name.startswith("errs once"):
            # Of the cases that come in between, some look as usual.
            assert re.search("case '(timed call|tails|lines|ordered|composed .*|nearly)': ", found[name]["evidence"]), found[name]["evidence"]
