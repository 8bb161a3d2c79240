"""Candidates with a known outcome, judged by the real program: ../broken, ../honest, and ../threats, which try to
fool it. Those for accelerators are in ../gpu, which has a driver of its own over this one.

run.py --kforge KFORGE [--python PYTHON] [--only PATTERN]... [--slow] [--open] [--strict] [--jobs N]
Prints `ok NAME`, `FAIL NAME: expected ..., got ...` or `[SKIP] NAME: why`; exit status 1 when one fails.

Verdicts rest on random inputs and on the clock of a busy machine. So one that is wrong is tried twice more, and must be right
both times (`ok NAME (once: expected ...)`); with --strict, to measure how often that happens, it fails.

The first comment lines of a candidate say what is expected of it:
    # expect: STATE [REASON] | STATE [REASON]    which verdicts are right
    # platform: NAME                             the target; cpu-cpp when absent
    # problem: NAME                              of ../problems; tiny_norm when absent
    # options: --weights live                    of `kforge eval`, besides the usual
    # evidence: REGEX                            found in the evidence, or in what was printed
    # max_speedup: X                             the lower end of the interval stays below, in one of three tries
    # by_chance: WHY                             it is found out in every other evaluation or more: in one of ten tries
    # admits: REGEX                              found among the promises that were not kept
    # vet: STATE                                 what `kforge vet` makes of the problem
    # offline: STATE                             what the checks without the device must make of it (gpu/run.py --offline)
    # slow                                       runs with --slow only
    # open: WHY                                  the arena does not withstand this yet; runs with --open only
Candidates with the same platform, problem and options share a session, the honest ones last: nothing that an earlier one
did may touch them. Those that need no quiet machine run several sessions at a time, before the others.
"""

import argparse
import collections
import fnmatch
import os
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kforge_session import FOLDER, Kforge  # noqa: E402

SETS = ("broken", "threats", "honest")
USUAL = ["--baselines", "eager", "--timing-budget-s", "0.5"]
LEFT_BEHIND = "left_behind"  # the name that a candidate gives to a process which wants to stay
DIRECTIVE = re.compile(r"#\s*(expect|platform|problem|options|evidence|max_speedup|by_chance|admits|vet|offline|slow|open)(?::\s*(.*?))?\s*$")


@dataclass
class Candidate:
    path: Path
    expect: list = field(default_factory=list)
    platform: str = "cpu-cpp"
    problem: str = "tiny_norm"
    options: str = ""
    evidence: str = ""
    max_speedup: float = 0.0
    by_chance: str = ""
    admits: str = ""
    vet: str = ""
    offline: str = ""
    slow: bool = False
    open: str = ""

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.name.split('.')[0]}"

    @classmethod
    def read(cls, path):
        candidate = cls(path)
        for line in path.read_text(encoding="utf-8").splitlines():
            match = DIRECTIVE.match(line)
            if not match:
                break
            key, value = match[1], match[2] or ""
            if key == "expect":
                candidate.expect = [verdict.strip() for verdict in value.split("|")]
            elif key == "slow":
                candidate.slow = True
            else:
                setattr(candidate, key, float(value) if key == "max_speedup" else value)
        if not candidate.expect:
            raise SystemExit(f"{path}: no line `# expect: ...` at the top")
        return candidate

    @property
    def needs_quiet(self):
        """Whether its verdict rests on time or on which processes there are; values and memory are right or wrong on a busy machine too."""
        return bool(self.max_speedup or self.path.stem.endswith(LEFT_BEHIND) or "--require kernels" in self.options or
                    any(verdict.endswith("timeout") for verdict in self.expect))

    def too_fast(self, result):
        """A speedup that is claimed and above the limit. A busy machine shows one now and then; a cheat always."""
        speedup = result["speedup"]
        return bool(self.max_speedup and speedup and result["claim"] == "faster" and speedup["low"] > self.max_speedup)

    def complaint(self, result):
        """What is wrong with a result; empty when it is as expected."""
        got = " ".join(filter(None, (result["state"], result["reason"])))
        told = f"{result['evidence']}\n{result['output'] or ''}"
        shown = result["evidence"].strip().replace("\n", "\n    ")
        if got not in self.expect:
            speedup = result["speedup"]
            ratio = f" {speedup['value']:.2f}x [{speedup['low']:.2f}, {speedup['high']:.2f}]" if speedup else ""
            return f"expected {' | '.join(self.expect)}, got {got}{ratio}\n    {shown}"
        if self.evidence and not re.search(self.evidence, told):
            return f"expected evidence /{self.evidence}/, got {got}\n    {shown}"
        if self.too_fast(result):
            speedup = result["speedup"]
            return f"expected at most {self.max_speedup}x, got {speedup['value']:.2f}x (at least {speedup['low']:.2f}x)"
        if self.admits and not any(re.search(self.admits, promise) for promise in result["open_promises"]):
            return f"expected it to be admitted that /{self.admits}/, got {result['open_promises']}"
        if self.vet and result["vet"]["state"] != self.vet:
            return f"expected a problem that is {self.vet}, got {result['vet']['state']}"
        return ""


def survivors():
    """Processes of candidates that outlived their session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text().strip() == LEFT_BEHIND:
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def require_jail(kforge):
    """Without it threats do to this machine what they try to."""
    folder = Path(kforge).resolve().parent
    if not any((place / "libkforge_jail.so").exists() for place in (folder, folder.parent / "lib", folder.parent / "lib/kforge")):
        raise SystemExit(f"libkforge_jail.so is not beside {kforge}: build it first (ninja -C build kforge_jail)")


class Session:
    """Judges groups of candidates. `on_result` is told (candidate, complaint, result or None) of each."""

    def __init__(self, options, usual=USUAL, on_result=None):
        require_jail(options.kforge)
        self.kforge = Kforge(options.kforge, options.python)
        self.strict = options.strict
        self.usual = usual
        self.on_result = on_result or (lambda *_: None)
        self.failed = 0

    def evaluate(self, group):
        """One result for each candidate of the group, or the text that kforge left instead."""
        first = group[0]
        return self.kforge.evaluate([candidate.path for candidate in group], FOLDER / "problems" / f"{first.problem}.py",
                                    ["--platform", first.platform, *self.usual, *shlex.split(first.options)])

    def run(self, group):
        results, trouble = self.evaluate(group)
        if results is None and len(group) > 1:  # one of them brought kforge down: find out which
            for candidate in group:
                self.run([candidate])
            return
        left = survivors()
        for index, candidate in enumerate(group):
            result, remark = results[index] if results else None, ""
            complaint = trouble or candidate.complaint(result)
            if complaint and result:
                complaint, remark = self.try_again(candidate, complaint, result)
            if left and candidate.path.stem.endswith(LEFT_BEHIND):
                complaint = f"expected no process to be left, got {', '.join(left)}"
            self.say(candidate, complaint, result, remark)

    def try_again(self, candidate, complaint, result):
        """What is wrong with a candidate after all, and what there is to say of one that is right after all."""
        by_chance = candidate.by_chance or candidate.too_fast(result)
        if self.strict and not by_chance:
            return complaint, ""
        needed = 1 if by_chance else 2
        for _ in range(9 if candidate.by_chance else 2):
            results, trouble = self.evaluate([candidate])
            if not trouble and not candidate.complaint(results[0]):
                needed -= 1
            if needed == 0:
                return "", "" if by_chance else f" (once: {complaint.splitlines()[0]})"
        return complaint, ""

    def say(self, candidate, complaint, result, remark=""):
        self.on_result(candidate, complaint, result)
        if complaint:
            self.failed += 1
        print(f"FAIL {candidate.name}: {complaint}" if complaint else f"ok {candidate.name}{remark}", flush=True)


def make_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kforge", required=True, type=os.path.abspath)
    parser.add_argument("--library")  # kforge finds the jail beside itself
    parser.add_argument("--python", default="")
    parser.add_argument("--only", action="append", help="shell pattern of names, such as 'threats/*'")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def read_groups(folders, options):
    """Lists of candidates that share a session; what is left out is told."""
    groups = collections.defaultdict(list)
    for path in (path for folder in folders for path in sorted(folder.iterdir()) if path.is_file()):
        candidate = Candidate.read(path)
        if options.only and not any(fnmatch.fnmatch(candidate.name, pattern) for pattern in options.only):
            continue
        if candidate.open and not options.open:
            print(f"[SKIP] {candidate.name}: open: {candidate.open}", flush=True)
        elif candidate.slow and not options.slow:
            print(f"[SKIP] {candidate.name}: slow: runs with --slow", flush=True)
        else:
            groups[candidate.platform, candidate.problem, candidate.options].append(candidate)
    return list(groups.values())


def main():
    options = make_parser().parse_args()
    session = Session(options)
    together, alone = [], []
    for group in read_groups([FOLDER / name for name in SETS], options):
        for needs_quiet, groups in ((False, together), (True, alone)):
            if part := [candidate for candidate in group if candidate.needs_quiet == needs_quiet]:
                groups.append(part)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(session.run, together))
    for group in alone:
        session.run(group)
    return 1 if session.failed else 0


if __name__ == "__main__":
    sys.exit(main())
