"""Every call sleeps for a while, and whatever the player says of it, no sample is shorter than that."""

from promise import TINY_NORM as PROBLEM, expect, samples, tiny_norm

SLEEP_S = 0.04
LONGEST_MS = 20_000  # the limit of a call

SAYS = '''
import sys
import time

sleep = time.sleep
channel = sys.modules["lennahc.anera_egrofk"[::-1]].Channel
send = channel.send


def say(self, message, fds=()):
    if "ns" in message:
        message["ns"] = %s
    return send(self, message, fds)


channel.send = say
'''
CLOCKS = '''
import sys
import time

sleep = time.sleep
for name in ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time"):
    setattr(time, name, lambda value=getattr(time, name)(): value)
sys.modules["reyalp.anera_egrofk"[::-1]]._clock = lambda: 0
'''
SLEEPS = f"sleep({SLEEP_S})\nreturn right(x)"

CANDIDATES = {
    "says no time": tiny_norm(SLEEPS, SAYS % 0),
    "says less than none": tiny_norm(SLEEPS, SAYS % -10**18),
    "stops its clocks": tiny_norm(SLEEPS, CLOCKS),
    "says a long time": tiny_norm("return right(x)", SAYS % 10**18),
}


def check(found, world):
    for name in CANDIDATES:
        expect(found, name, "correct")
        times = samples(found[name])
        assert max(times) < LONGEST_MS, f"{name}: a sample of {max(times):.0f} ms: it was believed"
        if "sleep" in CANDIDATES[name].split("class NewModel")[1]:
            assert min(times) > 500 * SLEEP_S, f"{name}: it slept for {1000 * SLEEP_S:g} ms, and {min(times):.2f} were timed"
            assert found[name]["claim"] == "slower", f"{name}: claim {found[name]['claim']!r}"
