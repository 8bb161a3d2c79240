"""One evaluation of a trivial candidate: cold, then with warm processes, by phase; and the arena's small costs."""

import json
import statistics

import candidates
from measuring import TRIVIAL, Row, own_folder, row, run, write_candidates

COUNT = 7
MARK = "building, checking and timing "


def walls(finished, paths):
    """Wall seconds of each evaluation of a `kforge eval`, by its progress lines; the first starts with the program."""
    marks = [at for at, line in finished.errors if line.startswith(MARK)]
    if len(marks) != len(paths):
        raise SystemExit(f"kforge eval announced {len(marks)} evaluations of {len(paths)}")
    starts = [0.0, *marks[1:]]
    return [end - start for start, end in zip(starts, [*marks[1:], finished.seconds])]


def evaluate(bench, problem, paths, *options, home="cache"):
    """(the run, the parsed results); `home` names a cache folder of the trusted side, empty at first."""
    environment = {**bench.environment, "XDG_CACHE_HOME": str(bench.folder / home), "TMPDIR": own_folder(bench, f"{home}-tmp")}
    argv = [bench.kforge, "eval", *paths, "--problem", problem, "--python", bench.python, "--json", *options]
    finished = run(argv, env=environment).require((0, 1))
    results = json.loads(finished.output)
    return finished, results.get("results", [results])


def measure(bench):
    paths = write_candidates(bench.folder / "trivial", candidates.trivial(COUNT))
    finished, results = evaluate(bench, TRIVIAL, paths)
    seconds = walls(finished, paths)
    again, _ = evaluate(bench, TRIVIAL, paths[:1])
    rows = [row("one evaluation, warm processes", seconds[1:], "s", goal="< 3")]
    rows += [row(f"  {phase}", [r["phases_s"][phase] for r in results[1:]], "s") for phase in results[0]["phases_s"]]
    rows += [
        Row("from nothing: start, torch.compile, evaluation", seconds[0], "s", note="empty caches"),
        Row("the same with compile caches of before", again.seconds, "s"),
        row("message round trip", [r["timings"]["overhead_ms"] for r in results], "ms", goal="< 0.2"),
        row("player start: fork, jail, attach", [1e3 * r["phases_s"]["start"] for r in results[1:]], "ms", goal="< 50"),
    ]
    without, results_without = evaluate(bench, TRIVIAL, paths[:4], "--baselines", "eager", "--jail", "off")
    rows.append(row("player start without jail", [1e3 * r["phases_s"]["start"] for r in results_without[1:]], "ms"))
    details = {"walls_s": seconds, "phases_s": [r["phases_s"] for r in results],
               "samples": [len(r["timings"]["series"]["candidate"]["samples_ms"]) for r in results],
               "verdicts": [r["state"] for r in results], "open_promises": results[0]["open_promises"],
               "median_s_without_jail": statistics.median(walls(without, paths[:4])[1:])}
    return rows, details
