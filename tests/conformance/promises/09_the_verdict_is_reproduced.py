"""Two candidates of one run would be its best. The first is wrong where the secrets that it passed with do not show
it, but the next ones do: it must not become the best. The second finds no trace of its earlier life and is."""

import json

from promise import FOLDER, USUAL

PROBLEM = FOLDER / "promises" / "problems" / "generations.py"

CANDIDATE = '''
import os
import torch
import torch.nn as nn

TRACES = [os.path.join(folder, "been_here") for folder in (os.getcwd(), "/tmp", "/dev/shm", "/var/tmp")]
if any(map(os.path.exists, TRACES)):
    raise RuntimeError("not for the first time here")
for trace in TRACES:
    try:
        open(trace, "w").close()
    except OSError:
        pass


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x):
        y = x * self.scale + 1
        %s
        return y
'''
ANSWERS = [CANDIDATE % "if (x[0] == 0.5).all():\n            y[0] = 0", CANDIDATE % "pass"]


def check(found, world):
    for number, answer in enumerate(ANSWERS, 1):
        folder = world.folder / "recording" / "iterations" / f"{number:02}"
        folder.mkdir(parents=True)
        (folder / "response.md").write_text(f"Here it is.\n```python\n{answer}```\n")
    run = world.folder / "run"
    done = world.kforge.call(["run", PROBLEM, "--llm", f"replay:{world.folder / 'recording'}", "--strategy", "sample",
                              "--samples", len(ANSWERS), *USUAL, "--out", run, "--json"], world.folder,
                             {"TMPDIR": str(world.temporary)})
    assert done.stdout.startswith("{"), done.stderr[-2000:]
    report = json.loads(done.stdout)
    journal = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
    confirmed = {event["iteration"]: event["state"] for event in journal if event["event"] == "confirmed"}
    states = [iteration["state"] for iteration in report["iterations"]]
    assert confirmed == {1: "mismatch", 2: "correct"}, f"confirmations: {confirmed}; states: {states}"
    assert states == ["mismatch", "correct"] and report["best_iteration"] == 2, (states, report["best_iteration"])
    verdict = json.loads((run / "iterations" / "01" / "verdict.json").read_text())
    assert "passed at first" in verdict["evidence"], verdict["evidence"]

    generations = {}
    for line in (world.temporary / "generations.jsonl").read_text().splitlines():
        entry = json.loads(line)
        generations.setdefault(entry["generation"], {"inputs": set(), "weights": set()})[entry["of"]].add(entry["seed"])
    assert len(generations) >= 3, f"two confirmations, and {len(generations)} generations of secrets"
    for kind in ("inputs", "weights"):
        seeds = [seed for generation in generations.values() for seed in generation[kind]]
        assert len(seeds) == len(set(seeds)) > 3, f"seeds of {kind} came again"
