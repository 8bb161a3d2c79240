#!/usr/bin/env python3
"""The kill test: a run dies by SIGKILL at every journal event (before and after), between the parts of every
kind of file, in an LLM call, in an evaluation and in a hook; it is resumed each time. In the end it must equal a
run that nobody touched, and every answered LLM call was made once."""

import argparse
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CANDIDATES = ["compile_error", "wrong", "slow", "kernel"]
LIMIT_S = 120

LLM = """#!/bin/bash
cat >/dev/null
echo "$KFORGE_AGENT $KFORGE_ITERATION" >>"$BASE/calls"
if [ -e "$BASE/kill-llm" ]; then rm "$BASE/kill-llm"; kill -9 $PPID; sleep 600; fi
[ "$KFORGE_AGENT" = generation ] || { echo "Advice $KFORGE_ITERATION: fuse the loops."; exit; }
echo '```python'
cat "$BASE/$KFORGE_ITERATION.py"
echo '```'
"""
HOOK = """#!/bin/bash
if [ -e "$BASE/kill-hook" ]; then rm "$BASE/kill-hook"; kill -9 $PPID; sleep 600; fi
echo "{\\"score\\": $KFORGE_ITERATION}"
"""

# What is written before each event. The evaluation is what takes time: one of its files per iteration.
FILES = {
    "prompted": ["prompt.md", "request.json"],
    "generation_answered": ["response.json", "response.md"],
    "evaluated": ["timings.json", "guard.json", "verdict.json"],
    "hooked": ["hook-1-hook.json"],
    "best": [],
    "analysis_prompted": ["request.json"],
    "analysis_answered": ["response.json", "response.md"],
    "advised": ["recommendation.md"],
}
FILE_POINTS = ["file.write.before", "file.write.rename", "file.write.after"]


class Kills:
    def __init__(self, options, base):
        self.options = options
        self.base = base
        self.failed = False
        # Workers are started from KForge's data folder: by its name they can be found.
        (base / "data").symlink_to(FIXTURES.parents[1])
        for name in ("home", "tmp"):
            (base / name).mkdir()
        for name, text in (("llm", LLM), ("hook", HOOK)):
            (base / name).write_text(text)
            (base / name).chmod(0o755)
        for number, name in enumerate(CANDIDATES, 1):
            shutil.copy(FIXTURES / f"candidates/{name}.py", base / f"{number}.py")
        self.environment = {**os.environ, "BASE": str(base), "KFORGE_DATA": str(base / "data"),
                            "HOME": str(base / "home"), "TMPDIR": str(base / "tmp"), "KFORGE_PYTHON": options.python}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def say(self, name, problem=""):
        self.failed = self.failed or bool(problem)
        if problem:
            print(problem)
        print(f"{'FAIL' if problem else 'ok'} {name}", flush=True)

    def start(self, *arguments, kill_at=""):
        environment = {**self.environment, "KFORGE_TEST_KILL_AT": kill_at}
        return subprocess.Popen([self.options.kforge, *map(str, arguments)], env=environment, cwd=self.base, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def call(self, *arguments, kill_at=""):
        process = self.start(*arguments, kill_at=kill_at)
        try:
            output, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            output += f"\nno end within {LIMIT_S} s"
        return process.returncode, output

    def run(self, folder, *more, kill_at=""):
        return self.call("run", FIXTURES / "problems/scale.py", "--llm", f"command:{self.base}/llm", "--baselines",
                         "eager", "--timing-budget-s", "0.2", "--seed", "kill", "--out", folder, *more, kill_at=kill_at)

    def refine(self, folder, kill_at=""):
        return self.run(folder, "-n", len(CANDIDATES), "--hook", self.base / "hook", "--rank-by-hook", kill_at=kill_at)

    def calls(self):
        """How often each call was made since this was last asked."""
        path = self.base / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return collections.Counter(lines)

    def left_behind(self):
        """Processes of a killed run end by themselves, at once."""
        deadline = time.monotonic() + 10
        while True:
            found = subprocess.run(["pgrep", "-fa", f"{self.base}/data"], capture_output=True, text=True).stdout
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def killed(self, name, status, output):
        """Judges one kill: it happened, nothing lives on, and the run can be read."""
        problem = ""
        if status != -signal.SIGKILL:
            problem = f"exit status {status} instead of death:\n{output}"
        elif left := self.left_behind():
            problem = f"left behind:\n{left}"
        elif (self.base / "chain/journal.jsonl").exists():
            status, output = self.call("report", "chain")
            problem = "" if status == 0 else f"report says: {output}"
        self.say(name, problem)

    def instants(self, events):
        """The names of all kills before and after each event, in order."""
        for number, (event, iteration) in enumerate(events):
            files = FILES.get(event, [])
            if event == "evaluated":
                files = [files[iteration % len(files)]]
            for offset, name in enumerate(files):
                yield event, iteration, f"{FILE_POINTS[(number + offset) % len(FILE_POINTS)]}:{name}"
            yield event, iteration, f"journal.append.before:{event}"
            yield event, iteration, f"journal.append.after:{event}"

    def chain(self, events, expected_calls):
        """One run, killed at each instant in turn: every process gets just one step further."""
        for event, iteration, instant in self.instants(events):
            if event == "run_started":
                continue
            status, output = self.call("resume", "chain", kill_at=instant)
            if status == 0:  # an earlier kill struck later than its name says, and the run is over
                print(f"[SKIP] the instants from iteration {iteration}, {instant} on: the run was past them", flush=True)
                return
            if instant in ("file.write.before:response.json", "file.write.rename:response.json"):
                expected_calls[f"{event.removesuffix('_answered')} {iteration}"] += 1  # it was in flight
            self.killed(f"iteration {iteration}, {instant}", status, output)
            if event == "prompted" and iteration in (1, 3) and "append.after" in instant:
                (self.base / "kill-llm").touch()
                expected_calls[f"generation {iteration}"] += 1
                self.killed(f"iteration {iteration}, while the LLM answers", *self.call("resume", "chain"))
            if event == "generation_answered" and iteration in (2, 4) and "append.after" in instant:
                self.killed(f"iteration {iteration}, while it is evaluated", *self.during_evaluation())
            if event == "evaluated" and iteration in (1, 4) and "append.after" in instant:
                (self.base / "kill-hook").touch()
                self.killed(f"iteration {iteration}, while a hook runs", *self.call("resume", "chain"))

    def during_evaluation(self):
        process = self.start("resume", "chain")
        seen = ""
        for line in process.stdout:
            seen += line
            if "building, checking and timing" in line:
                time.sleep(0.3)  # well inside: a fast machine is through in little more than a second
                process.kill()
        return process.wait(), seen

    def creation(self):
        """Killed before the run exists: nothing was paid for, and the user is told to start again."""
        for instant in ("file.write.rename:problem.py", "file.write.after:run.toml",
                        "journal.append.before:run_started"):
            status, output = self.refine("early", kill_at=instant)
            resumed, told = self.call("resume", "early")
            fine = status == -signal.SIGKILL and resumed == 2 and "error: " in told and not self.calls()
            self.say(f"while it is made, {instant}", "" if fine else f"{status}, then {resumed}:\n{output}{told}")
            shutil.rmtree(self.base / "early", ignore_errors=True)

    def samples(self):
        """Several calls at once: those that had been answered are not made again."""
        status, output = self.run("samples", "-s", "sample", "--samples", 3, "--parallel", 3,
                                  kill_at="journal.append.after:generation_answered")
        answered = {int(path.parent.name) for path in (self.base / "samples").glob("iterations/*/response.json")}
        made_before = self.calls()
        resumed, told = self.call("resume", "samples")
        made_after = self.calls()
        expected = collections.Counter(f"generation {i}" for i in {1, 2, 3} - answered)
        fine = status == -signal.SIGKILL and answered and resumed == 0 and made_after == expected
        self.say("samples asked for at once", "" if fine else
                 f"{status}, then {resumed}; {made_before}, then {made_after}, answered {answered}:\n{output}{told}")


def events_of(run):
    lines = [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]
    return [(line["event"], line.get("iteration", 0)) for line in lines]


def without_numbers(text):
    return re.sub(r"\d+(\.\d+)?(e[-+]?\d+)?", "#", text)


def end_state(run):
    """All that must not depend on when a run was killed."""
    # A call that a kill has cut short stands twice: the journal says what may have been spent.
    state = {"events": [(event, iteration) for event, iteration in events_of(run) if not event.endswith("_asked")]}
    for path in sorted(run.rglob("*")):
        name = str(path.relative_to(run))
        if path.name in ("candidate.py", "response.md", "recommendation.md", "problem.py", "guard.json"):
            state[name] = path.read_text()
        elif path.name == "prompt.md" and "analysis" not in name:  # an analysis prompt holds a profile
            state[name] = without_numbers(path.read_text())
        elif path.name == "verdict.json":
            verdict = json.loads(path.read_text())
            state[name] = [verdict["state"], verdict["reason"], without_numbers(verdict["evidence"])]
        elif path.name.startswith(".") and path.name != ".lock":
            state[name] = "left behind"
    return state


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--kforge", "--library", "--python"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kforge-kill-") as folder:
        kills = Kills(options, Path(folder))
        status, output = kills.refine("whole")
        kills.say("the run that nobody touches", "" if status == 0 else output)
        if status != 0:
            return 1
        expected_calls = kills.calls()
        whole = end_state(kills.base / "whole")

        kills.creation()
        kills.killed("after run_started", *kills.refine("chain", kill_at="journal.append.after:run_started"))
        kills.chain(events_of(kills.base / "whole"), expected_calls)
        status, output = kills.call("resume", "chain")
        kills.say("the last resume", "" if status == 0 else output)
        calls = kills.calls()
        kills.say("every answered call was made once",
                  "" if calls == expected_calls else f"{calls}, not {expected_calls}")
        chain = end_state(kills.base / "chain")
        differences = [f"{name}: {chain.get(name)!r}\n  instead of {whole.get(name)!r}"
                       for name in sorted(whole.keys() | chain.keys()) if chain.get(name) != whole.get(name)]
        kills.say("the end state is that of the run that nobody touched", "\n".join(differences))
        kills.samples()
    return 1 if kills.failed else 0


if __name__ == "__main__":
    sys.exit(main())
