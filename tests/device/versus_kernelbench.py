#!/usr/bin/env python3
"""The same candidates by KForge and by KernelBench's public evaluator: wall time per candidate on both sides, and their ratio.

tests/device/versus_kernelbench.py OUT KERNELBENCH [--kinds load_inline,triton,nvrtc] [--theirs 4]

KERNELBENCH is a checkout (see kernelbench_one.py for the few files that are needed; it is never committed here). Theirs: a fresh
process per candidate, as scripts/run_and_check.py is used, 5 correctness trials and 100 timed calls, its own way to build, no cache
from before. Ours: one `kforge eval` for all of a kind, all checks on, an empty cache. Wall time is that of whole processes, ours
by the number of candidates. --theirs N evaluates N of each kind there (0: all): their times hardly vary. There are two ratios, for
the same work on both sides: `ratio`, their evaluation function (it times the candidate and the eager reference) against ours with
the eager baseline; and `ratio_with_baselines`, all that their script does (it goes on to time the reference, eager and compiled)
against ours with all baselines. `ratio_inside` is the first without the start and the end of their processes, but with ours.
--eager leaves the second out. One candidate of each kind is evaluated before, twice, so that neither side waits for a cold disk.
OUT/versus_kernelbench.json.
"""

import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import proof as proofs
import versus_candidates as candidates

PROBLEMS = proofs.ROOT / "tests/conformance/problems"
WARM_UPS = 2


def last_object(text):
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    return None


def theirs(options, proof, kind, path, baselines):
    """One candidate by KernelBench, in a process and with caches of its own."""
    _, backend, problem, _, _ = candidates.KINDS[kind]
    argv = [options.python, str(pathlib.Path(__file__).with_name("kernelbench_one.py")), options.kernelbench,
            str(PROBLEMS / f"{problem}.py"), str(path), backend, *(["--baselines"] if baselines else [])]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TRITON_CACHE_DIR": f"{folder}/triton", "TORCH_EXTENSIONS_DIR": f"{folder}/extensions",
                       "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor"}
        began = time.monotonic()
        try:
            done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True,
                                  timeout=max(1, proof.left_s()))
        except subprocess.TimeoutExpired:
            return {"candidate": path.name, "failed": "no time left"}
        row = {"candidate": path.name, "wall_s": time.monotonic() - began}
        found = last_object(done.stdout)
        return {**row, **found} if found else {**row, "failed": (done.stderr + done.stdout)[-2000:]}


def ours(options, proof, kind, paths, baselines):
    """All candidates of a kind in one evaluation."""
    platform, _, problem, _, _ = candidates.KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        argv = [options.kforge, "eval", *map(str, paths), "--problem", str(PROBLEMS / f"{problem}.py"), "--platform", platform,
                "--baselines", baselines, "--json", "--quiet", "--python", options.python, *options.ours]
        began = time.monotonic()
        try:
            done = subprocess.run(argv, cwd=folder, env={**os.environ, "XDG_CACHE_HOME": folder}, capture_output=True, text=True,
                                  timeout=max(1, proof.left_s()))
        except subprocess.TimeoutExpired:
            return {"command": proofs.shown(argv, options.python), "failed": "no time left"}
        wall_s = time.monotonic() - began
    try:
        results = json.loads(done.stdout)["results"]
    except (json.JSONDecodeError, KeyError):
        return {"command": proofs.shown(argv, options.python), "wall_s": wall_s, "failed": (done.stderr + done.stdout)[-2000:]}
    rows = [{"candidate": pathlib.Path(result["candidate"]).name, "state": result["state"], "reason": result["reason"],
             "evidence": result["evidence"][:500], "speedup": result["speedup"],
             "seconds": result["phases_s"]} for result in results]
    return {"command": proofs.shown(argv, options.python), "wall_s": wall_s, "per_candidate_s": wall_s / len(paths), "rows": rows,
            "correct": sum(row["state"] == "correct" for row in rows)}


def compare(options, proof, kind, folder, found):
    paths = candidates.write(kind, folder)
    platform, _, problem, _, _ = candidates.KINDS[kind]
    entry = found.setdefault(kind, {"platform": platform, "problem": problem, "candidates": len(paths)})
    for _ in range(WARM_UPS):
        ours(options, proof, kind, paths[:1], "eager" if options.eager else "eager,compile")
    sides = [("ours_eager", "eager"), ("ours", "eager,compile")][: 1 if options.eager else 2]
    for side, baselines in sides:
        entry[side] = ours(options, proof, kind, paths, baselines)
        proof.save(kinds=found)
        proof.say(f"{kind}: {side} {entry[side].get('per_candidate_s', entry[side].get('failed'))} s per candidate")
    ratios = [("theirs_per_candidate_s", "ratio", "wall_s", "theirs_eager", "ours_eager"),
              ("theirs_inside_s", "ratio_inside", "evaluated_s", "theirs_eager", "ours_eager"),
              ("theirs_with_baselines_s", "ratio_with_baselines", "wall_s", "theirs", "ours")][: 2 if options.eager else 3]
    rows = {side: [] for _, _, _, side, _ in ratios}
    entry.update(rows)
    for path, side in itertools.product(paths[: options.theirs or None], rows):
        if proof.left_s() < 5:
            entry["why"] = "stopped at the deadline"
            break
        row = theirs(options, proof, kind, path, side == "theirs")
        rows[side].append(row)
        proof.say(f"{kind}: {side} {row.get('wall_s')} s, correct: {row.get('correct', row.get('failed', '')[-200:])}")
        proof.save(kinds=found)
    done = {side: [row for row in found_rows if "failed" not in row] for side, found_rows in rows.items()}
    if all(done.values()) and all("per_candidate_s" in entry[side] for side, _ in sides):
        for name, ratio, key, their_side, side in ratios:
            entry[name] = statistics.mean(row[key] for row in done[their_side])
            entry[ratio] = entry[name] / entry[side]["per_candidate_s"]
        # What ends early takes less time: the ratio means something only where both went all the way.
        entry["comparable"] = (all(entry[side]["correct"] == len(paths) for side, _ in sides)
                               and all(row.get("correct") for found_rows in rows.values() for row in found_rows))
    proof.save(kinds=found)


def main():
    parser = proofs.make_parser(__doc__)
    parser.add_argument("kernelbench", type=os.path.abspath)
    parser.add_argument("--kinds", default="load_inline,triton,nvrtc")
    parser.add_argument("--theirs", type=int, default=4)
    parser.add_argument("--eager", action="store_true")
    parser.add_argument("--ours", nargs="*", default=[], help="more options for kforge eval")
    options = parser.parse_args()
    proof = proofs.Proof("versus_kernelbench", options)
    commit = pathlib.Path(options.kernelbench, "COMMIT")
    proof.save(kernelbench=commit.read_text().strip() if commit.exists() else proofs.said(
        "git", "-C", options.kernelbench, "rev-parse", "HEAD"))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds.split(","):
            compare(options, proof, kind, pathlib.Path(folder), found)
    complete = all(entry.get("comparable") and "why" not in entry for entry in found.values())
    proof.save(complete=complete)
    for kind, entry in found.items():
        if "ratio" in entry:
            proof.say(f"{kind}: {entry['theirs_per_candidate_s']:.1f} s against {entry['ours_eager']['per_candidate_s']:.2f} s per "
                      f"candidate: {entry['ratio']:.1f}x ({entry['ratio_inside']:.1f}x without the start and the end of their "
                      "processes)")
        if "ratio_with_baselines" in entry:
            proof.say(f"{kind}: with all baselines {entry['theirs_with_baselines_s']:.1f} s against "
                      f"{entry['ours']['per_candidate_s']:.2f} s: {entry['ratio_with_baselines']:.1f}x")
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
