#!/usr/bin/env python3
"""One candidate by KernelBench's own evaluation function, as its scripts/run_and_check.py calls it, in this process: one line of JSON.

tests/device/kernelbench_one.py FOLDER REFERENCE CANDIDATE BACKEND [--baselines]

FOLDER is a checkout of https://github.com/ScalingIntelligence/KernelBench, of which src/kernelbench/{__init__,eval,timing,utils,
dataset,kernel_static_checker}.py are enough (150 KB). It is no part of this project and only read. What those import beyond
PyTorch and NumPy and is not installed (requests, pydantic, dotenv, tqdm, openai, litellm: for asking LLMs) is replaced by
empty modules, which only makes it start faster. With --baselines the reference is timed too, eager and compiled, as that
script goes on to do.
"""

import importlib.util
import json
import os
import sys
import time
import types


class Anything:
    """Stands for a class that is only inherited from or called: keeps what it is given by name."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


def stand_in(name, **members):
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        found = None
    if found is None:
        module = types.ModuleType(name)
        module.__dict__.update(members)
        sys.modules[name] = module


def load_kernelbench(folder):
    stand_in("requests")
    stand_in("pydantic", BaseModel=Anything)
    stand_in("dotenv", load_dotenv=lambda *args, **kwargs: None)
    stand_in("tqdm", tqdm=lambda items, *args, **kwargs: items)
    stand_in("openai", OpenAI=Anything)
    stand_in("litellm", completion=Anything)
    sys.path.insert(0, os.path.join(folder, "src"))


def main():
    began = time.monotonic()
    folder, reference, candidate, backend = sys.argv[1:5]
    load_kernelbench(folder)
    import torch
    from kernelbench import eval as kernel_eval, timing, utils
    from kernelbench.kernel_static_checker import validate_kernel_static
    reference, candidate = (open(path, encoding="utf-8").read() for path in (reference, candidate))
    passed, errors, _ = validate_kernel_static(candidate, backend=backend, precision="fp32")
    utils.set_gpu_arch(["Hopper"])
    device = torch.device("cuda:0")
    result = kernel_eval.eval_kernel_against_ref(
        original_model_src=reference, custom_model_src=candidate, measure_performance=True, timing_method="cuda_event",
        verbose=False, num_correct_trials=5, num_perf_trials=100,
        build_dir=os.path.join("test_build", str(hash(candidate))), device=device, backend=backend, precision=torch.float32)
    found = {"evaluated_s": time.monotonic() - began, "compiled": result.compiled, "correct": result.correctness,
             "ms": result.runtime, "reference_ms": result.ref_runtime, "static_check": passed, "static_errors": errors,
             "metadata": {key: str(value)[:500] for key, value in result.metadata.items()}}
    if "--baselines" in sys.argv:
        for compiled in (False, True):
            measured = timing.measure_ref_program_time("reference", reference, num_trials=100, use_torch_compile=compiled,
                                                       timing_method="cuda_event", device=device, precision="fp32")
            found["compile_ms" if compiled else "eager_ms"] = (measured or {}).get("mean")
    found["all_s"] = time.monotonic() - began
    print("\n" + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
