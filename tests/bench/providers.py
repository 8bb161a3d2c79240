"""What KForge adds to an LLM call: time, memory, and the speed of its parser of streams. The server is the scripted one of
tests/conformance/providers, on this machine."""

import statistics
import sys

from measuring import HERE, Row, row

sys.path.insert(0, str(HERE.parent / "conformance" / "providers"))

from dialects import DIALECTS  # noqa: E402
from probing import Probe, entry  # noqa: E402
from server import Answer, Server  # noqa: E402

CALLS = 500
SOAK = 2000
LONG_ANSWER_MB = 4
LINE = "    x = tl.load(pointer + offsets, mask=mask)\n"


def measure(bench):
    program = bench.kforge.parent / "kforge_probe"
    if not program.exists():
        raise SystemExit(f"{program} is not built: scripts/build")
    rows = []
    server = Server()
    try:
        for dialect in DIALECTS:
            rows.append(overhead(program, bench.folder, server, dialect))
        rows += soak(program, bench.folder, server)
        rows.append(memory(program, bench.folder, server))
        with Probe(program, bench.folder) as probe:
            speeds = [probe.ask({"sse_megabytes": 64})["megabytes_per_s"] for _ in range(7)]
        rows.append(row("stream parser", speeds, "MB/s", goal="> 100"))
    finally:
        server.stop()
    return rows, {}


def answered(got, count):
    if got["kinds"] != {"answer": count}:
        raise SystemExit(f"not all of {count} calls were answered: {got['kinds']} {got['complaint']}")
    return got


def overhead(program, folder, server, dialect):
    """One call after another over one connection, a short streamed answer."""
    url, script = server.play(f"overhead-{dialect.name}", [Answer([b"".join(dialect.stream(["Hello ", "there."]))])])
    with Probe(program, folder) as probe:
        order = {"toml": entry(dialect.name, url), "llm": "x", "parallel": 1}
        probe.ask({**order, "count": 20})
        script.seconds.clear()
        calls = answered(probe.ask({**order, "count": CALLS}), CALLS)["call_seconds"]
    own = statistics.median(script.seconds)
    return row(f"overhead per call, {dialect.name}", [1000 * (call - own) for call in calls], "ms", goal="< 2",
               note=f"the server took {1000 * own:.2f} ms")


def soak(program, folder, server):
    url, _ = server.play("soak", [Answer([b"".join(DIALECTS[2].stream(["Hello ", "there."]))])])
    with Probe(program, folder) as probe:
        order = {"toml": entry(DIALECTS[2].name, url, timeout_s=120), "llm": "x", "parallel": 50}
        probe.ask({**order, "count": 200})
        got = answered(probe.ask({**order, "count": SOAK}), SOAK)
    return [Row(f"{SOAK} calls, 50 at a time", SOAK / got["seconds"], "/s", note="bound by the scripted server"),
            Row("memory gained by them", max(0, got["rss_kb"] - got["rss_before_kb"]) / 1024, "MB"),
            Row("descriptors open after them", got["descriptors"], "")]


def memory(program, folder, server):
    pieces = [LINE] * (LONG_ANSWER_MB * 2**20 // len(LINE))
    url, _ = server.play("memory", lambda request, number: Answer(
        [b"".join(DIALECTS[0].stream(pieces if number else ["Hello."]))]))
    with Probe(program, folder) as probe:
        order = {"toml": entry(DIALECTS[0].name, url), "llm": "x"}
        before = probe.ask(order)["peak_kb"]
        got = probe.ask(order)
    if len(got.get("text", "")) != len(LINE) * len(pieces):
        raise SystemExit(f"the long answer did not come: {got.get('message')}")
    return Row(f"peak memory for a {LONG_ANSWER_MB} MB answer", (got["peak_kb"] - before) / 1024, "MB",
               note=f"in {got['seconds']:.2f} s")
