#!/usr/bin/env python3
"""The 37 gemm-tail problems, vetted, with all of their baselines timed: one `kforge vet --time`, its result in OUT/gemm_tail.json.

tests/device/gemm_tail.py OUT [--platform nvidia-triton] [--precision mixed] [--problems NAME...] [--set SHRINK=8]
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import threading

import proof as proofs


def wait(process, proof):
    """Reads what the command tells meanwhile, and stops it when time is up. Returns (standard output, lines)."""
    lines = []

    def listen():
        for line in process.stderr:
            lines.append(line.rstrip())
            proof.say(lines[-1])
            proof.save(progress=lines)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        output, _ = process.stdout, process.wait(max(1, proof.left_s()))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return None, lines
    listener.join(5)
    output.seek(0)
    return output.read(), lines


def summary(problems):
    """Geometric means over the faster of eager and torch.compile, of all that was timed and of what was found ok."""
    kinds = ("half_eager", "half_compile", "best half")
    counts, ratios = {}, {f"{kind}, {which}": [] for kind in kinds for which in ("all", "ok")}
    for problem in problems:
        counts[problem["state"]] = counts.get(problem["state"], 0) + 1
        ms = {side["name"]: side["ms"] for side in problem["baselines"]}
        plain = [ms[name] for name in ("eager", "compile") if name in ms]
        halves = {name: value for name, value in ms.items() if name.startswith("half_")}
        if not plain or not halves:
            continue
        for name, value in {**halves, "best half": min(halves.values())}.items():
            for which in ("all", "ok") if problem["state"] == "ok" else ("all",):
                ratios[f"{name}, {which}"].append(min(plain) / value)
    timed = sum(bool(problem["baselines"]) for problem in problems)
    means = {name: statistics.geometric_mean(values) for name, values in ratios.items() if values}
    return {"states": counts, "timed": timed, "geometric_mean_over_faster_plain": means}


def main():
    parser = proofs.make_parser(__doc__)
    parser.add_argument("--platform", default="nvidia-triton")
    parser.add_argument("--precision", default="mixed", help="mixed: those in half precision as well")
    parser.add_argument("--timing-budget-s", default="2")
    parser.add_argument("--jobs", default="")
    parser.add_argument("--set", default="", help="such as SHRINK=8, for a trial")
    parser.add_argument("--problems", nargs="+", default=["gemm-tail"], help="names, files or suites")
    options = parser.parse_args()
    proof = proofs.Proof("gemm_tail", options)
    command = [options.kforge, "vet", *options.problems, "--time", "--json", "--platform", options.platform, "--precision",
               options.precision, "--timing-budget-s", options.timing_budget_s, "--python", options.python]
    command += ["--jobs", options.jobs] if options.jobs else []
    command += ["--set", options.set] if options.set else []
    proof.save(kforge_command=" ".join(command))
    with open(proof.path.with_suffix(".stdout"), "w+", encoding="utf-8") as stdout:
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True, start_new_session=True)
        process.stdout = stdout
        output, lines = wait(process, proof)
    if output is None:
        proof.save(why="stopped at the deadline; `progress` holds what was timed by then")
        return 1
    try:
        problems = json.loads(output)["problems"]
    except (json.JSONDecodeError, KeyError):
        proof.save(why=f"kforge ended with {process.returncode}: {' '.join(lines)[-2000:]}")
        return 1
    proof.path.with_suffix(".stdout").unlink()
    proof.save(complete=True, vet_seconds=proof.facts["seconds"], summary=summary(problems), problems=problems)
    proof.say(json.dumps(proof.facts["summary"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
