#!/usr/bin/env python3
"""Candidates with a known outcome (tests/conformance/gpu), several times in a row: how many verdicts are right. OUT/verdicts.json.

tests/device/verdicts.py OUT [--passes 2] [--only 'threats/cuda*']... [--append] [--slow] [--open]

With --append the passes are added to those in the file: for a machine on which one command may not take so long.
"""

import importlib.util
import json
import sys
import time

import proof as proofs


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


gpu = load(proofs.ROOT / "tests/conformance/gpu/run.py", "gpu_candidates")
driver = gpu.driver
kforge_session = sys.modules["kforge_session"]


def row_of(candidate, complaint, result):
    found = {"candidate": candidate.name, "platform": candidate.platform, "problem": candidate.problem,
             "options": candidate.options, "expected": candidate.expect, "right": not complaint, "complaint": complaint}
    if candidate.max_speedup:
        found["max_speedup"] = candidate.max_speedup
    if result:
        found.update({key: result[key] for key in ("state", "reason", "speedup", "claim")},
                     evidence=result["evidence"][:2000],
                     seconds=result["phases_s"])
    return found


def counts(rows):
    kinds = {}
    for row in rows:
        kind = kinds.setdefault(row["candidate"].split("/")[0], {"right": 0, "wrong": 0})
        kind["right" if row["right"] else "wrong"] += 1
    return {"right": sum(row["right"] for row in rows), "wrong": sum(not row["right"] for row in rows), "by_kind": kinds,
            "wrong_ones": [row["candidate"] for row in rows if not row["right"]]}


def run_pass(proof, options, passes):
    this = {"began_s": round(time.monotonic() - proof.started, 1), "complete": False, "rows": []}
    passes.append(this)

    def note(candidate, complaint, result):
        this["rows"].append(row_of(candidate, complaint, result))
        this["counts"] = counts(this["rows"])

    session = driver.Session(options, gpu.USUAL, note)
    groups = driver.read_groups(gpu.FOLDERS, options)
    for number, group in enumerate(groups, 1):
        if proof.left_s() < 20:
            this["why"] = f"stopped at the deadline, {number - 1} of {len(groups)} groups done"
            proof.say(this["why"])
            return False
        kforge_session.LIMIT_S = max(20, min(600, proof.left_s()))
        began = time.monotonic()
        try:
            session.run(group)
        except Exception as error:  # a fault of the test, not of a candidate: told, and the next group is tried
            for candidate in group:
                note(candidate, f"the driver failed: {error!r}", None)
        proof.say(f"pass {len(passes)}, group {number} of {len(groups)}: {group[0].platform} {group[0].problem} "
                  f"{group[0].options}: {len(group)} in {time.monotonic() - began:.1f} s")
        proof.save(passes=passes)
    this["complete"] = True
    return True


def main():
    parser = proofs.make_parser(__doc__)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--append", action="store_true")
    parser.add_argument("--only", action="append")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--open", action="store_true")
    parser.set_defaults(strict=True)
    options = parser.parse_args()
    passes = []
    if options.append:
        try:
            with open(f"{options.out}/verdicts.json", encoding="utf-8") as file:
                passes = json.load(file)["passes"]
        except (OSError, KeyError):
            pass
    proof = proofs.Proof("verdicts", options)
    here = gpu.usable(driver.Kforge(options.kforge, options.python))
    proof.save(platforms={name: why or "usable" for name, why in here.items() if name.startswith("nvidia")}, passes=passes)
    if not any(not why for name, why in here.items() if name.startswith("nvidia")):
        proof.save(why="no NVIDIA platform is usable here: nothing was judged")
        proof.say(proof.facts["why"])
        return 1
    complete = all([run_pass(proof, options, passes) for _ in range(options.passes)])
    proof.save(complete=complete, passes=passes,
               totals=counts([row for one in passes for row in one["rows"]]))
    proof.say(json.dumps({key: proof.facts["totals"][key] for key in ("right", "wrong", "wrong_ones")}))
    return 0 if complete and not proof.facts["totals"]["wrong"] else 1


if __name__ == "__main__":
    sys.exit(main())
