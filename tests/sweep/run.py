"""How often the arena is wrong, over many problems: honest rewrites and mistakes are made mechanically from each problem's own text, what
is right is found out without the arena (truth.py), and all of them are judged by `kforge eval`.

PYTHON tests/sweep/run.py --kforge build/kforge --work FOLDER [--shrink] [--sample N [--shift N]] [--most-wrong N] [--compile N]
                          [--repeat N] [--honest-only] [--only PATTERN]... PROBLEM_FOLDER...
PYTHON is one with PyTorch. Problems, candidates and `result.json`, which is written after each problem, are in FOLDER afterwards.
--shrink      makes problems small first (those of KernelBench): a call of the reference takes less than 20 ms then
--sample N    only N problems, spread evenly over the folders; --shift takes those that many places further on
--most-wrong  mistakes of each problem that are tried, chosen by its name [24]
--compile N   the first N problems get a candidate that calls torch.compile
--repeat N    honest candidates are evaluated N times [1]
--honest-only makes no mistakes

An honest candidate that is refused, and a wrong one that is `correct` (a survivor), are findings: each is one line, and one row in
the result. What could not be used is listed with its reason. Not part of tests/run: it takes half a minute for each problem.
"""

import argparse
import collections
import fnmatch
import json
import os
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "conformance"))

import candidates  # noqa: E402
import problems  # noqa: E402
import truth  # noqa: E402
from forked import Failed, forked  # noqa: E402
from kforge_session import Kforge  # noqa: E402

USUAL = ["--platform", "cpu-cpp", "--baselines", "eager", "--timing-budget-s", "0.5"]
_TRUTH_S = 300


def _number(path):
    digits = re.match(r"\d+", path.name)
    return (int(digits[0]) if digits else 0, path.name)


def chosen(options):
    """Problem files: all, or some from every part of each folder, taking turns."""
    folders = [sorted(Path(folder).glob("*.py"), key=_number) for folder in options.problems]
    folders = [[path for path in folder if not options.only or any(fnmatch.fnmatch(path.name, p) for p in options.only)] for folder in folders]
    total = sum(map(len, folders))
    wanted = min(options.sample or total, total)
    found = []
    for folder in filter(None, folders):
        share = max(1, round(wanted * len(folder) / total))
        found += [(index / share, folder[(index * len(folder) // share + options.shift) % len(folder)]) for index in range(share)]
    return [path for _, path in sorted(found, key=lambda each: each[0])]  # whenever it is ended, all folders have had their share


class Sweep:
    def __init__(self, options):
        self.options = options
        self.kforge = Kforge(options.kforge, options.python)
        self.rows, self.skipped = [], []

    def skip(self, problem, what, why):
        self.skipped.append({"problem": problem, "candidate": what, "why": why})

    def run(self, path, compiled):
        name = f"{path.parent.name}_{path.stem}"
        folder = self.options.work / name
        folder.mkdir(parents=True, exist_ok=True)
        small = folder / "problem.py"
        try:
            if not self.options.shrink:
                small.write_bytes(path.read_bytes())
            elif not small.exists():
                problems.shrink(path, small)
            made = self._make(small, folder, compiled)
            judged = self._judge(small, made)
        except (problems.Unfit, Failed) as error:
            small.unlink(missing_ok=True)
            self.skip(name, "", str(error))
            return
        for kind in self._usable(name, judged):
            self._evaluate(name, small, kind)

    def _make(self, small, folder, compiled):
        """[(file, name, whether it is honest)]"""
        texts = [(each, True) for each in forked(candidates.honest, small, compiled).items()]
        if not self.options.honest_only:
            texts += [(each, False) for each in forked(candidates.wrong, small, self.options.most_wrong).items()]
        made = []
        for index, ((name, text), is_honest) in enumerate(texts):
            file = folder / f"{'honest' if is_honest else 'wrong'}_{index:02}_{re.sub(r'[^a-z0-9]+', '_', name)}.py"
            file.write_text(text, encoding="utf-8")
            made.append((file, name, is_honest))
        return made

    def _judge(self, small, made):
        """Rows with what is true of each candidate. What compiles is taken for right: it takes too long to try twice."""
        tried = [file for file, name, _ in made if name != "compiled"]
        found = dict(zip(tried, forked(truth.deviations, small, tried, limit_s=_TRUTH_S)))
        rows = []
        for file, name, is_honest in made:
            deviations = found.get(file, {"": 0.0})
            rows.append({"file": file, "candidate": name, "honest": is_honest, "truth": truth.judged(deviations), "deviations": deviations})
        return rows

    def _usable(self, name, judged):
        """Honest candidates for as many sessions as asked for, then those that are wrong or change nothing."""
        usable = []
        for row in judged:
            if row["truth"] == "fails":
                self.skip(name, row["candidate"], row["deviations"])
            elif row["honest"] and row["truth"] == "wrong":
                self.skip(name, row["candidate"], f"not as good as the reference: {_worst(row)}")
            else:
                usable.append(row)
        honest, others = ([row for row in usable if row["honest"] is wanted] for wanted in (True, False))
        others = [row for row in others if row["truth"] != "unclear"]
        return [session for session in (others + honest, *[honest] * (self.options.repeat - 1)) if session]

    def _evaluate(self, name, small, session):
        results, trouble = self.kforge.evaluate([row["file"] for row in session], small, USUAL)
        if trouble:
            self.skip(name, "the session", trouble)
            return
        if results[0]["vet"]["state"] != "ok":
            self.skip(name, "", f"vetted as {results[0]['vet']['state']}: {results[0]['vet']['reason']} {results[0]['vet']['evidence']}".strip())
            return
        for row, result in zip(session, results):
            verdict = " ".join(filter(None, (result["state"], result["reason"])))
            done = {"problem": name, **row, "file": row["file"].name, "verdict": verdict, "evidence": result["evidence"]}
            done["finding"] = _finding(done)
            self.rows.append(done)
            if done["finding"]:
                print(f"{done['finding']}: {name}: {row['candidate']}: {verdict} ({_worst(row)})", flush=True)

    def counts(self):
        def count(**wanted):
            return sum(all(row[key] == value for key, value in wanted.items()) for row in self.rows)
        return {"problems": len({row["problem"] for row in self.rows}),
                "problems_skipped": len({row["problem"] for row in self.skipped if not row["candidate"]}),
                "honest": count(honest=True), "honest_refused": count(finding="honest refused"),
                "wrong": count(honest=False, truth="wrong"), "survivors": count(finding="survivor"),
                "equivalent": count(honest=False, truth="equivalent"), "equivalent_refused": count(finding="equivalent refused")}

    def write(self):
        result = {"counts": self.counts(), "rows": self.rows, "skipped": self.skipped}
        (self.options.work / "result.json").write_text(json.dumps(result, indent=1, default=str), encoding="utf-8")


def _worst(row):
    case, deviation = max(row["deviations"].items(), key=lambda item: item[1], default=("no case", 0.0))
    return f"{deviation:.3g} limits on {case}"


def _finding(row):
    """A result that contradicts what is true. Of what is equivalent on the cases of truth.py the arena may know better."""
    is_correct = row["verdict"] == "correct"
    if row["honest"]:
        return "" if is_correct else "honest refused"
    if row["truth"] == "wrong":
        return "survivor" if is_correct else ""
    return "" if is_correct else "equivalent refused"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kforge", required=True, type=os.path.abspath)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--work", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--shift", type=int, default=0)
    parser.add_argument("--most-wrong", type=int, default=24)
    parser.add_argument("--compile", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--honest-only", action="store_true")
    parser.add_argument("--only", action="append")
    parser.add_argument("problems", nargs="+")
    return parser.parse_args()


def main():
    options = parse()
    sweep = Sweep(options)
    for index, path in enumerate(chosen(options)):
        began = time.monotonic()
        sweep.run(path, index < options.compile)
        sweep.write()
        print(f"{path.parent.name}/{path.name}: {time.monotonic() - began:.0f} s", flush=True)
    print("".join(f"\n{name:>20} {count}" for name, count in sweep.counts().items()))
    for why, count in collections.Counter(row["why"].splitlines()[0][:100] for row in sweep.skipped).most_common():
        print(f"skipped {count}: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
