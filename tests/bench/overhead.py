"""KForge's own time per iteration: all that is neither the LLM nor an evaluation, read off a run's journal.

The run replays recorded answers (reading one is counted as ours). What counts as an evaluation is the sum of the
phases that the arena reports; ending the player, storing the result and everything around them is ours.
"""

import json
from datetime import datetime

import candidates
from measuring import TRIVIAL, Row, row, run

ITERATIONS = 8


def measure(bench):
    recording = bench.folder / "recording"
    for number, candidate in enumerate(candidates.trivial(ITERATIONS), 1):
        folder = recording / "iterations" / f"{number:02}"
        (folder / "analysis").mkdir(parents=True)
        (folder / "response.md").write_text(f"```python\n{candidate.source}```\n")
        (folder / "analysis" / "response.md").write_text("Use more threads.\n")
    work = bench.folder / "overhead"
    work.mkdir()
    argv = [bench.kforge, "run", TRIVIAL, "--llm", f"replay:{recording}", "-n", ITERATIONS, "--baselines", "eager",
            "--timing-budget-s", "0.2", "--python", bench.python, "-q"]
    run(argv, cwd=work, env=bench.environment).require()
    (folder,) = (work / "runs").iterdir()
    events = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    parts = {"writing the prompt": [], "taking in the answer": [], "around the evaluation": []}
    totals = []
    for number in range(1, ITERATIONS + 1):
        spent = _iteration(events, number, folder / "iterations" / f"{number:02}")
        for name, seconds in zip(parts, spent):
            parts[name].append(1e3 * seconds)
        totals.append(1e3 * sum(spent))
    # The first prompt of a session also loads the template engine.
    rows = [row("own time per iteration", totals[1:], "ms", goal="< 20"), Row("the same, first iteration", totals[0], "ms")]
    rows += [row("  " + name, values[1:], "ms") for name, values in parts.items()]
    return rows, {"totals_ms": totals, "parts_ms": parts}


def _iteration(events, number, folder):
    at = {}
    for index, event in enumerate(events):
        if event.get("iteration") == number:
            at.setdefault(event["event"], index)
    stamp = [datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp() for event in events]
    prompted, answered, evaluated = at["prompted"], at["generation_answered"], at["evaluated"]
    result = json.loads((folder / "verdict.json").read_text())
    phases = sum(result["phases_s"].values())
    return (stamp[prompted] - stamp[prompted - 1], stamp[answered] - stamp[prompted],
            stamp[evaluated] - stamp[answered] - phases)
