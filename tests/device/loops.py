#!/usr/bin/env python3
"""Whole runs by the mailbox: `kforge run --llm mailbox`, an answer where it waits for one, `kforge resume`. OUT/h200-loops.json.

tests/device/loops.py OUT --answers FOLDER [--only '62*']... [--minutes 8] [--one-by-one] [--options '--set SHRINK=8']

FOLDER/<problem>/1.md to 5.md are the generation agent's answers, 1.analysis.md and so on the analysis agent's advice on each; without
one it is the first paragraph of the next answer. Problems are taken in the order of FOLDER/order.txt (one name a line, if it is there),
then by name. All letters of a problem lie in its mailbox once the first prompt is there, so that a run needs two sittings; with
--one-by-one each is put there when it is asked for. Run directories, with every prompt, are in OUT/runs (--runs); one that is there
is resumed. OUT/h200-loops-runs.tar.gz holds them all, for machines from which single files are had.
"""

import fnmatch
import json
import os
import pathlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tarfile
import time

import proof as proofs

SUSPENDED = 5
HOW = {True: "each answer was put into the mailbox when it was asked for",
       False: "the answers had been written beforehand: all lay in the mailbox from the second sitting on"}


def letters(folder, most):
    """The answers by the mailbox's number (generation 2i - 1, analysis 2i), and how many iterations they are for."""
    found, count = {}, 0
    while count < most and (folder / f"{count + 1}.md").is_file():
        count += 1
        found[2 * count - 1] = (folder / f"{count}.md").read_text(encoding="utf-8")
    for number in range(1, count):
        advice = folder / f"{number}.analysis.md"
        text = advice.read_text(encoding="utf-8") if advice.is_file() else found[2 * number + 1].strip().split("\n\n")[0]
        found[2 * number] = text
    return found, count


def put(run, number, text):
    """Under another name first: half an answer is never read."""
    path = run / "mailbox" / f"{number:03}.answer.md"
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def stored(path):
    """What a step of the run has stored, or None: it may not have come so far, or had nothing to say."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


class Loop:
    """One problem: sittings until the run is over, out of answers, or out of time."""

    def __init__(self, problem, options, left_s):
        self.options = options
        self.left_s = left_s
        self.run = pathlib.Path(options.runs).resolve() / problem
        self.answers, count = letters(pathlib.Path(options.answers) / problem, options.iterations)
        command = [options.kforge, "run", f"{options.suite}/{problem}", "--platform", options.platform, "--precision", options.precision,
                 "--llm", "mailbox", "--iterations", str(count), "--out", str(self.run), "--timing-budget-s", options.timing_budget_s]
        self.facts = {"problem": f"{options.suite}/{problem}", "command": self.whole([*command, *shlex.split(options.options)]),
                      "answers": count, "put": [], "sittings": []}

    def whole(self, argv):
        return shlex.join([*argv, "--json", "--python", self.options.python])

    def call(self, command):
        """(exit status, or None out of time; the JSON object it printed, or None)."""
        log = self.run.with_suffix(".log")
        log.parent.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        with open(log, "a", encoding="utf-8") as stderr:
            process = subprocess.Popen(shlex.split(command), stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True)
            try:
                output, _ = process.communicate(timeout=max(5, min(self.left_s(), self.options.limit_s)))
                status = process.returncode
            except subprocess.TimeoutExpired:
                output, status = self.stop(process), None
        self.facts["sittings"].append({"command": command, "exit": status, "seconds": round(time.monotonic() - began, 1)})
        try:
            return status, json.loads(output)
        except json.JSONDecodeError:
            self.facts["why"] = f"no JSON; the log ends in: {log.read_text(encoding='utf-8')[-1500:]}"
            return status, None

    @staticmethod
    def stop(process):
        """Interrupted, a run is resumable and says how far it came; killed only if it does not listen."""
        for number, patience_s in ((signal.SIGINT, 20), (signal.SIGKILL, 10)):
            try:
                os.killpg(process.pid, number)
                return process.communicate(timeout=patience_s)[0]
            except (subprocess.TimeoutExpired, ProcessLookupError):
                continue
        return ""

    def wanted(self, report):
        """The number of the letter that the run waits for, or None where it waits for something else."""
        found = re.search(r"\bto (\d{3})\.answer\.md", (report or {}).get("message") or "")
        return int(found.group(1)) if found else None

    def work(self):
        resume = self.whole([self.options.kforge, "resume", str(self.run)])
        first = resume if (self.run / "run.toml").is_file() else self.facts["command"]
        status, report = self.call(first)
        while status == SUSPENDED:
            number = self.wanted(report)
            if number not in self.answers:
                self.facts["why"] = (report or {}).get("message") or "suspended"
                break
            if self.left_s() < 10:
                self.facts["why"] = "out of time"
                break
            chosen = [number] if self.options.one_by_one else sorted(other for other in self.answers if other >= number)
            for other in chosen:
                put(self.run, other, self.answers.pop(other))
            self.facts["put"] += chosen
            status, report = self.call(resume)
        if status is None:
            self.facts["why"] = "out of time"
        return report

    def iterations(self):
        rows = []
        for folder in sorted((self.run / "iterations").glob("[0-9]*")):
            row = {"iteration": int(folder.name), "state": None}
            verdict, timings = stored(folder / "verdict.json"), stored(folder / "timings.json")
            if verdict:
                row.update({key: verdict.get(key) for key in ("state", "reason", "speedup", "same_permission_speedup", "claim", "error")},
                           evidence=(verdict.get("evidence") or "")[:1500],
                           seconds={name: round(value, 2) for name, value in (verdict.get("phases_s") or {}).items() if value > 0.005})
            if timings:
                row["median_ms"] = {name: side["median_ms"] for name, side in timings["series"].items()}
                row["device_ms"] = {name: side["device_ms"] for name, side in timings["series"].items() if "device_ms" in side}
                row["timing_notes"] = timings.get("notes")
            rows.append(row)
        return rows

    def result(self):
        began = time.monotonic()
        report = None
        try:
            report = self.work()
            if not (report or {}).get("status") and self.run.is_dir():  # stopped or failed on the way: what is stored still counts
                report = self.call(self.whole([self.options.kforge, "report", str(self.run)]))[1]
            self.facts["iterations"] = self.iterations()
        except Exception as error:  # a fault of this script is told, and the next problem tried
            self.facts["why"] = f"the driver failed: {error!r}"
        for key in ("status", "state", "best_iteration", "speedup", "same_permission_speedup", "claim", "vet"):
            self.facts[key] = (report or {}).get(key)
        self.facts["seconds"] = round(time.monotonic() - began, 1)
        return self.facts


def summary(rows):
    """How many runs ended with a correct candidate, and geometric means over those of both speedups."""
    means = {}
    for key in ("speedup", "same_permission_speedup"):
        values = [row[key]["value"] for row in rows if row.get(key)]
        if values:
            means[key] = round(statistics.geometric_mean(values), 3)
    states = {}
    for row in rows:
        for one in row.get("iterations") or []:
            states[str(one["state"])] = states.get(str(one["state"]), 0) + 1
    return {"problems": len(rows), "correct": sum(row["state"] == "correct" for row in rows),
            "finished": sum(row["status"] == "finished" for row in rows), "geometric_means": means, "iterations_by_state": states,
            "first_answer_correct": sum(bool(row.get("iterations")) and row["iterations"][0]["state"] == "correct" for row in rows)}


def pack(runs, path):
    """All run directories and logs so far as one file; the old one is replaced when the new one is whole."""
    new = path.with_suffix(".new")
    with tarfile.open(new, "w:gz") as archive:
        archive.add(runs, "runs")
    new.replace(path)


def problems_of(options):
    folder = pathlib.Path(options.answers)
    order = folder / "order.txt"
    first = order.read_text(encoding="utf-8").split() if order.is_file() else []
    names = [path.parent.name for path in folder.glob("*/1.md")]
    names.sort(key=lambda name: (first.index(name) if name in first else len(first), name))
    return [name for name in names if not options.only or any(fnmatch.fnmatch(name, only) for only in options.only)]


def main():
    parser = proofs.make_parser(__doc__)
    parser.add_argument("--answers", required=True, help="folder of answers, see above")
    parser.add_argument("--only", action="append", help="problems by shell pattern (repeatable)")
    parser.add_argument("--minutes", type=float, help="begins no problem after this: the same as --deadline-s")
    parser.add_argument("--limit-s", type=float, default=240, help="for one sitting (default: %(default)s)")
    parser.add_argument("--least-s", type=float, default=40, help="begins no problem with less time left (default: %(default)s)")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--one-by-one", action="store_true")
    parser.add_argument("--suite", default="gemm-tail")
    parser.add_argument("--platform", default="nvidia-triton")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--timing-budget-s", default="2")
    parser.add_argument("--options", default="", help="more for `kforge run`, in one word")
    parser.add_argument("--runs", help="folder of the run directories (default: OUT/runs)")
    options = parser.parse_args()
    options.runs = options.runs or f"{options.out}/runs"
    if options.minutes:
        options.deadline_s = 60 * options.minutes
    proof = proofs.Proof("h200-loops", options)
    todo, rows = problems_of(options), []
    proof.save(how=HOW[options.one_by_one], problems=todo, runs=rows)
    if not todo:
        proof.save(why=f"no answers in {options.answers}" + (f" for {options.only}" if options.only else ""))
        proof.say(proof.facts["why"])
        return 1
    for number, problem in enumerate(todo):
        if proof.left_s() < options.least_s:
            proof.save(not_begun=todo[number:], why="out of time")
            proof.say(f"out of time: {', '.join(todo[number:])} not begun")
            break
        rows.append(Loop(problem, options, proof.left_s).result())
        row = rows[-1]
        proof.save(runs=rows, summary=summary(rows))
        pack(options.runs, proof.path.with_name("h200-loops-runs.tar.gz"))
        shown = [f"{row[key]['value']:.2f}x" for key in ("speedup", "same_permission_speedup") if row[key]]
        states = ", ".join(str(one["state"]) for one in row.get("iterations") or [])
        proof.say(f"{problem}: {row['state']} {' and '.join(shown)} in {row['seconds']} s; {states} {row.get('why', '')}")
    proof.save(complete=len(rows) == len(todo) and all(row["status"] == "finished" for row in rows))
    proof.say(json.dumps(proof.facts["summary"]) if rows else "nothing was begun")
    return 0 if proof.facts["complete"] and all(row["state"] == "correct" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
