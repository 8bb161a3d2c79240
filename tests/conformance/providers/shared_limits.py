"""Many processes, one key: they share what the server allows, in turn, and outlive each other."""

import math
import threading
import time

from machine import CHAT, GOOD, true, wait_for
from probing import Probe, entry
from server import HANG, Answer


class Windows:
    """Allows so much per window, which begins with its first request, tells what is left, and turns away what is more."""

    def __init__(self, limit, seconds, kind="requests", weight=lambda request: 1):
        self.limit, self.seconds, self.kind, self.weight = limit, seconds, kind, weight
        self.left, self.reset, self.refused, self.served = limit, 0, 0, []
        self.lock = threading.Lock()

    def play(self, request, number):
        with self.lock:
            now = time.monotonic()
            if now >= self.reset:
                self.left, self.reset = self.limit, now + self.seconds
            weight = self.weight(request)
            wait_ms = math.ceil((self.reset - now) * 1000)
            taken = weight <= self.left
            self.left -= weight if taken else 0
            self.refused += not taken
            headers = {f"x-ratelimit-limit-{self.kind}": str(self.limit), f"x-ratelimit-remaining-{self.kind}": str(self.left),
                       f"x-ratelimit-reset-{self.kind}": f"{wait_ms}ms"}
            if taken:
                self.served.append(words(request)[:1])
                return Answer(GOOD.steps, headers=headers)
            return Answer([b'{"error": {"message": "Too fast.", "code": "rate_limit_exceeded"}}'], status=429,
                          framing="length", headers={**headers, "retry-after-ms": str(wait_ms)})


def words(request):
    return request.json["messages"][-1]["content"]


def order(url, prompt, count, parallel=1, **settings):
    return {"toml": entry(CHAT.name, url, timeout_s=120, **settings), "llm": "x", "count": count, "parallel": parallel,
            "request": {"prompt": prompt}}


def together(suite, orders):
    """Each order to a process of its own, all at once; what they say."""
    probes = [Probe(suite.options.probe, suite.folder) for _ in orders]
    try:
        for probe, one in zip(probes, orders):
            probe.send(one)
        return [probe.receive() for probe in probes]
    finally:
        for probe in probes:
            probe.__exit__()


def requests_are_shared_fairly(suite):
    server = Windows(limit=6, seconds=0.5)
    url, _ = suite.server.play("shared-requests", server.play)
    for got in together(suite, [order(url, name * 8, 15, 3) for name in "abcd"]):
        true(got["kinds"] == {"answer": 15}, (got["kinds"], got["complaint"]))
    true(server.refused == 0, f"{server.refused} of {len(server.served)} were turned away")
    # From when all are there until the first is done, nobody gets much more than another.
    first = max(server.served.index(name) for name in "abcd")
    last = min(len(server.served) - server.served[::-1].index(name) for name in "abcd")
    counts = [server.served[first:last].count(name) for name in "abcd"]
    true(max(counts) <= 2 * min(counts) + 3, f"{counts} in {''.join(server.served)}")


def tokens_are_shared(suite):
    server = Windows(limit=2500, seconds=0.5, kind="tokens", weight=lambda request: len(words(request)) // 4)
    url, _ = suite.server.play("shared-tokens", server.play)
    for got in together(suite, [order(url, name * 2400, 8, 4) for name in "abc"]):
        true(got["kinds"] == {"answer": 8}, (got["kinds"], got["complaint"]))
    true(server.refused == 0, f"{server.refused} of {len(server.served)} were turned away")


def what_the_entry_says_binds_all(suite):
    url, script = suite.server.play("shared-pace", [GOOD])
    kinds = [probe["kinds"] for probe in together(suite, [
        {**order(url, name, 2), "toml": entry(CHAT.name, url, timeout_s=8, requests_per_minute=3)} for name in "ab"])]
    true(len(script.requests) == 3, f"three a minute: {len(script.requests)}")
    true(sum(kind.get("answer", 0) for kind in kinds) == 3 and sum(kind.get("pending", 0) for kind in kinds) == 1, kinds)


def a_killed_process_blocks_nobody(suite):
    """One is killed while it waits for its turn, one while its answer is out."""
    server = Windows(limit=3, seconds=1.5)
    hanging = threading.Event()

    def play(request, number):
        if words(request).startswith("h"):
            hanging.set()
            answer = server.play(request, number)
            return Answer([GOOD.steps[0], HANG], headers=answer.headers)
        return server.play(request, number)

    url, _ = suite.server.play("shared-kill", play)
    probes = {name: Probe(suite.options.probe, suite.folder) for name in "hwx"}
    try:
        probes["h"].send(order(url, "hhhh", 1))
        wait_for(hanging.is_set)
        probes["w"].send(order(url, "wwww", 30, 4))
        wait_for(lambda: server.served.count("w") >= 2)
        probes["x"].send(order(url, "xxxx", 4, 2))
        for name in "hw":
            probes[name].process.kill()
            probes[name].process.wait()
        got = probes["x"].receive()
        true(got["kinds"] == {"answer": 4}, (got["kinds"], got["complaint"]))
    finally:
        for probe in probes.values():
            probe.__exit__()


TESTS = {f"shared_limits/{function.__name__}": function for function in (
    requests_are_shared_fairly, tokens_are_shared, what_the_entry_says_binds_all, a_killed_process_blocks_nobody)}
