"""KForge against the straightforward evaluator of sequential.py, on the same candidates in one run.

Half of the sequential evaluations come before KForge's batch and half after it, so that a machine that gets slower
or faster touches both sides. Each side starts with empty compile caches of its own, those that PyTorch keeps with temporary files
included, and keeps them.
"""

import json
import random

import candidates
from evaluation import evaluate, walls
from measuring import CHAIN, HERE, Row, own_folder, run, write_candidates

EXPECTED = {"correct": "correct", "slow": "correct", "wrong": "mismatch", "broken": "compilation_failure"}
CHECKS = {
    "sequential": "5 trials on the problem's own inputs, one set of weights, allclose at 1e-4, in the candidate's process; "
                  "medians of 100 calls per side, one side after the other",
    "kforge": "24 cases over 18 value distributions, most of them again between timed calls, 4 sets of weights, error against fp64 by policy, outputs and inputs "
              "inspected by another process, jail; interleaved timing on fresh inputs, spot checks, 95 % interval; "
              "5 variations of shape and strides",
}


def c_abi(bench):
    return _measure(bench, "c-abi", candidates.mixed_c_abi(), goal=">= 5")


def load_inline(bench):
    return _measure(bench, "load-inline", candidates.mixed_load_inline(), goal=">= 5")


def _measure(bench, name, batch, goal):
    paths = write_candidates(bench.folder / name, batch)
    half = len(paths) // 2
    theirs = [_sequential(bench, name, number, path) for number, path in enumerate(paths[:half])]
    finished, results = evaluate(bench, CHAIN, paths, home=f"{name}-cache")
    theirs += [_sequential(bench, name, number, path) for number, path in enumerate(paths[half:], half)]
    ours = walls(finished, paths)
    pairs = [(candidate, run_.seconds, seconds) for candidate, (run_, _), seconds in zip(batch, theirs, ours)]

    value, low, high = _ratio(pairs)
    rows = [Row("sequential, per candidate", sum(s for _, s, _ in pairs) / len(pairs), "s", count=len(pairs)),
            Row("kforge eval, per candidate", sum(k for _, _, k in pairs) / len(pairs), "s", count=len(pairs)),
            Row("ratio over the batch", value, "x", low, high, len(pairs), goal,
                "spread: 95 % bootstrap over candidates; the start of KForge's processes is in its first")]
    rows.append(_if_it_gave_up(pairs, theirs))
    for kind in EXPECTED:
        some = [pair for pair in pairs if pair[0].kind == kind]
        if some:
            value, low, high = _ratio(some)
            rows.append(Row(f"  {kind} ({sum(p[1] for p in some) / len(some):.2f} s against "
                            f"{sum(p[2] for p in some) / len(some):.2f} s)", value, "x", low, high, len(some)))
    details = {"checks": CHECKS, "candidates": [
        {"name": c.name, "kind": c.kind, "sequential_s": s, "kforge_s": k, "sequential": verdict,
         "kforge": {key: result[key] for key in ("state", "reason", "speedup", "phases_s")}}
        for (c, s, k), (_, verdict), result in zip(pairs, theirs, results)]}
    odd = [f"{c.name}: {side} says {state}" for (c, _, _), (_, verdict), result in zip(pairs, theirs, results)
           for side, state in (("sequential", verdict["state"]), ("kforge", result["state"])) if state != EXPECTED[c.kind]]
    # A machine without a jail compares with fewer checks than KForge has.
    odd += [f"kforge does without: {promise}" for promise in sorted({p for r in results for p in r["open_promises"]})]
    if odd:
        details["unexpected"] = odd
    return rows, details


def _if_it_gave_up(pairs, theirs):
    """Against an evaluator that times no baselines where the candidate has failed, as KForge does not."""
    shorter = [(c, s - (verdict["baselines_s"] if verdict["state"] != "correct" else 0), k)
               for (c, s, k), (_, verdict) in zip(pairs, theirs)]
    value, low, high = _ratio(shorter)
    return Row("  were it to stop at a failure", value, "x", low, high, len(shorter))


def _sequential(bench, name, number, path):
    environment = {"TMPDIR": own_folder(bench, f"{name}-sequential-tmp"),
                   "TORCHINDUCTOR_CACHE_DIR": str(bench.folder / f"{name}-sequential-cache"),
                   "TORCH_EXTENSIONS_DIR": str(bench.folder / f"{name}-extensions-{number}")}
    finished = run([bench.python, HERE / "sequential.py", path, CHAIN], env=environment).require()
    return finished, json.loads(finished.output.splitlines()[-1])


def _ratio(pairs):
    """Total over total, with the bootstrap interval over candidates."""
    generator = random.Random(1)
    share = lambda some: sum(s for _, s, _ in some) / sum(k for _, _, k in some)
    drawn = sorted(share(generator.choices(pairs, k=len(pairs))) for _ in range(2000))
    return share(pairs), drawn[50], drawn[1949]
