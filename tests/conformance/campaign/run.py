#!/usr/bin/env python3
"""A campaign of runs at once dies by SIGKILL while it is made, while its runs are made, around answers and at their
ends, and is interrupted; it is gone on with each time. No answered LLM call is made again, and in the end it equals a
campaign that nobody touched."""

import argparse
import importlib.util
import signal
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("kill", HERE.parent / "kill/run.py")
kill = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kill)

LLM = """#!/bin/bash
cat >/dev/null
(flock 9; echo "$1 $KFORGE_AGENT $KFORGE_ITERATION" >>"$BASE/calls") 9>"$BASE/calls.lock"
[ ! -e "$BASE/slow" ] || { touch "$BASE/asked"; sleep 60; }
[ "$KFORGE_AGENT" = generation ] || { echo "Advice $KFORGE_ITERATION: fuse the loops."; exit; }
echo '```python'
cat "$BASE/$KFORGE_ITERATION.py"
echo '```'
"""
INSTANTS = [
    "file.write.rename:001-scale.py", "file.write.before:campaign.toml", "file.write.after:campaign.toml",
    "file.write.after:run.toml", "journal.append.before:run_started", "journal.append.after:frozen",
    "file.write.rename:response.json", "file.write.after:response.json", "journal.append.after:generation_answered",
    "journal.append.before:evaluated", "journal.append.after:analysis_answered", "journal.append.before:run_done",
    "journal.append.after:run_done", "file.write.rename:worked.json",
]


class Campaign(kill.Kills):
    def __init__(self, options, base):
        super().__init__(options, base)
        (base / "llm").write_text(LLM)
        for number in (1, 2, 3):
            (base / f"{number}.py").write_text((kill.FIXTURES / f"candidates/{['wrong', 'slow', 'kernel'][number - 1]}.py").read_text())
        entries = "".join(f'[llms.{name}]\nprovider = "command"\ncommand = ["{base}/llm", "{name}"]\n' for name in "ab")
        (base / "c.toml").write_text(
            f'[campaign]\nproblems = ["{kill.FIXTURES}/problems/scale.py"]\nllms = ["a", "b"]\njobs = 2\n'
            f'[run]\niterations = 3\nbaselines = ["eager"]\ntiming_budget_s = 0.2\nseed = "kill"\n'
            f'hook = ["{base}/hook"]\nrank_by_hook = true\n{entries}')

    def go_on(self, folder, kill_at=""):
        made = (self.base / folder / "campaign.toml").exists()
        return self.call("campaign", *([folder] if made else ["c.toml", "-o", folder]), kill_at=kill_at)

    def answered(self, folder):
        """The calls whose answers are on disk, as the LLM notes them."""
        found = set()
        for path in (self.base / folder).glob("*/iterations/*/**/response.json"):
            run, _, iteration, *agent = path.relative_to(self.base / folder).parts
            found.add(f"{run[-1]} {'analysis' if agent[0] == 'analysis' else 'generation'} {int(iteration)}")
        return found

    def sitting(self, name, wanted, before, status, output):
        again = before & set(self.calls())
        problem = f"exit status {status}, not {wanted}:\n{output}" if status != wanted else ""
        if again:
            problem = f"answered, and asked again: {again}"
        elif left := self.left_behind():
            problem = f"left behind:\n{left}"
        self.say(name, problem)

    def interrupt(self):
        (self.base / "slow").touch()
        before = self.answered("chain")
        process = self.start("campaign", "chain")
        deadline = time.monotonic() + kill.LIMIT_S
        while not (self.base / "asked").exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=kill.LIMIT_S)
        (self.base / "slow").unlink()
        self.sitting("interrupted while LLMs answer", 130, before, process.returncode,
                     output if "kforge resume chain" in output else "no hint")


def end_state(campaign):
    runs = sorted(path for path in campaign.iterdir() if (path / "journal.jsonl").exists())
    return {run.name: kill.end_state(run) for run in runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--kforge", "--library", "--python"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kforge-campaign-") as folder:
        campaign = Campaign(options, Path(folder))
        campaign.sitting("the campaign that nobody touches", 0, set(), *campaign.go_on("whole"))
        for number, instant in enumerate(INSTANTS):
            if number == 7:
                campaign.interrupt()
            before = campaign.answered("chain")
            status, output = campaign.go_on("chain", kill_at=instant)
            if status == 0:  # the runs were past it
                print(f"[SKIP] {instant}: the campaign was past it", flush=True)
                continue
            campaign.sitting(instant, -signal.SIGKILL, before, status, output)
        campaign.sitting("the last sitting", 0, campaign.answered("chain"), *campaign.call("resume", "chain"))
        whole, chain = end_state(campaign.base / "whole"), end_state(campaign.base / "chain")
        differences = [f"{run}/{name}: {chain.get(run, {}).get(name)!r}\n  instead of {state.get(name)!r}"
                       for run, state in whole.items()
                       for name in sorted(state.keys() | chain.get(run, {}).keys())
                       if name != "events" and chain.get(run, {}).get(name) != state.get(name)]
        campaign.say("the end state is that of the campaign that nobody touched", "\n".join(differences))
    return 1 if campaign.failed else 0


if __name__ == "__main__":
    sys.exit(main())
