"""The straightforward evaluator that KForge is measured against: a process per candidate, everything from scratch.

sequential.py CANDIDATE PROBLEM: imports torch, imports the candidate (which builds its kernel), compares five trials
with the reference in the same process (allclose at 1e-4, problem's own inputs, one set of weights), then times 100
calls each of the candidate, eager and torch.compile, one series after the other. Eager and torch.compile are timed for
every candidate, also for one that does not build or is wrong, as KernelBench's run_and_check.py does; how long it took
until then is said (`baselines_s`). No jail, no fp64, no other inputs, no interval.
"""

import importlib.util
import json
import statistics
import sys
import time

TRIALS = 5
CALLS = 100
WARMUP = 5


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def time_calls(model, inputs):
    for _ in range(WARMUP):
        model(*inputs)
    samples = []
    for _ in range(CALLS):
        started = time.perf_counter()
        model(*inputs)
        samples.append(1e3 * (time.perf_counter() - started))
    return statistics.median(samples)


def check(candidate_path, problem, reference):
    """The state, then the model and the inputs of the last trial where it is correct."""
    import torch

    try:
        candidate = load("candidate", candidate_path)
    except Exception as error:  # whatever a candidate raises, it did not build
        return {"state": "compilation_failure", "evidence": str(error)[:200]}, None
    model = candidate.NewModel(*problem.get_init_inputs()).requires_grad_(False)
    model.load_state_dict(reference.state_dict())
    for trial in range(TRIALS):
        torch.manual_seed(100 + trial)
        inputs = problem.get_inputs()
        if not torch.allclose(reference(*inputs), model(*inputs), rtol=1e-4, atol=1e-4):
            return {"state": "mismatch", "evidence": f"trial {trial}"}, None
    return {"state": "correct"}, model


def evaluate(candidate_path, problem_path):
    import torch

    problem = load("problem", problem_path)
    torch.manual_seed(1)
    reference = problem.Model(*problem.get_init_inputs()).requires_grad_(False)
    verdict, model = check(candidate_path, problem, reference)
    inputs = problem.get_inputs()
    times = {"candidate": time_calls(model, inputs)} if model else {}
    started = time.perf_counter()
    times["eager"] = time_calls(reference, inputs)
    times["compile"] = time_calls(torch.compile(reference), inputs)
    verdict |= {"baselines_s": time.perf_counter() - started, "times_ms": times}
    if model:
        verdict["speedup"] = min(times["eager"], times["compile"]) / times["candidate"]
    return verdict


if __name__ == "__main__":
    print(json.dumps(evaluate(*sys.argv[1:3])))
