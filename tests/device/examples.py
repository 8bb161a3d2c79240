#!/usr/bin/env python3
"""The examples of the NVIDIA platforms on a real device: error against fp64, and times of eager, torch.compile and the kernel.

tests/device/examples.py     prints JSON; run from the project's root where PyTorch sees a CUDA device

Medians of 30 calls by CUDA events, hot cache: a check that the examples work and are no bad ones, not the arena's timing.
"""

import importlib.util
import json
import sys
import time
import traceback

import torch

EXAMPLES = {"nvidia-cuda": "platforms/nvidia-cuda/example", "nvidia-triton": "platforms/shared/triton/example",
            "nvidia-cute": "platforms/nvidia-cute/example"}


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def median_ms(function, inputs, calls=30):
    times = []
    for _ in range(calls):
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        function(*inputs)
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return sorted(times)[calls // 2]


def try_example(platform, folder):
    prefix = platform.replace("-", "_")
    reference = load(f"{folder}/reference.py", f"{prefix}_reference")
    began = time.time()
    kernel = load(f"{folder}/kernel.py", f"{prefix}_kernel")
    torch.manual_seed(0)
    init = reference.get_init_inputs()
    model, new = reference.Model(*init).cuda(), kernel.NewModel(*init).cuda()
    new.load_state_dict(model.state_dict())
    inputs = [x.cuda() for x in reference.get_inputs()]
    with torch.no_grad():
        got, want = new(*inputs), model(*inputs)
        torch.cuda.synchronize()
        first_call_s = time.time() - began
        exact = model.double()(*[x.double() for x in inputs])
        compiled = torch.compile(model.float())
        sides = {"eager_ms": model, "compile_ms": compiled, "kernel_ms": new}
        for side in sides.values():
            median_ms(side, inputs)
        return {"shapes": [list(x.shape) for x in inputs], "max_error": (got - exact).abs().max().item(),
                "eager_error": (want - exact).abs().max().item(), "first_call_s": first_call_s,
                **{name: median_ms(side, inputs) for name, side in sides.items()}}


def main():
    found = {"torch": torch.__version__, "device": torch.cuda.get_device_name(), "examples": {}}
    for platform, folder in EXAMPLES.items():
        try:
            found["examples"][platform] = try_example(platform, folder)
        except ModuleNotFoundError as error:
            found["examples"][platform] = {"not_here": str(error)}
        except Exception:
            found["examples"][platform] = {"failed": traceback.format_exc()}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
