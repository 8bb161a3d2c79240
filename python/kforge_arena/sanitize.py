"""One call of a candidate under a memory checker: `run` in the player, the rest as a program of its own below it."""

import os
import shutil
import subprocess
import sys

_TOOL = "compute-sanitizer"
_ERRORS_FOUND = 86
_MOST_ERRORS = 5


def tool():
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return shutil.which(_TOOL) or shutil.which(_TOOL, path=os.path.join(home, "bin"))


def run(call, limit_s):
    """`call`: what construct() and forward() need. Says what the checker found, or why it did not get to the end."""
    import torch
    program = tool()
    if program is None:
        return {"not_done": f"{_TOOL} is neither in PATH nor in the folder bin of CUDA_HOME"}
    torch.save(call, "sanitize.pt")
    command = [program, "--tool", "memcheck", "--error-exitcode", str(_ERRORS_FOUND), "--print-limit", str(_MOST_ERRORS),
               sys.executable, os.path.abspath(__file__), "sanitize.pt"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit_s)
    except subprocess.TimeoutExpired:
        return {"not_done": f"{_TOOL} had not ended after {limit_s:g} s"}
    text = done.stdout.decode("utf-8", "replace")
    report = "\n".join(line.removeprefix("=========").rstrip() for line in text.splitlines() if line.startswith("========="))
    found = done.returncode == _ERRORS_FOUND
    if not found and "ERROR SUMMARY" not in report:
        return {"not_done": f"{_TOOL} ended without a summary: {report[-200:]}"}
    return {"found": found, "report": report[-8000:]}


def main(path):
    import importlib.util

    import torch
    call = torch.load(path, weights_only=True)
    spec = importlib.util.spec_from_file_location("candidate", os.path.abspath("candidate.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    model_class = getattr(module, "NewModel", None) or module.ModelNew
    init = call["init"]
    torch.manual_seed(call["seed"])
    with torch.no_grad(), torch.device(call["device"]):
        model = model_class(**init) if isinstance(init, dict) else model_class(*init)
    model.to(call["device"])
    model.load_state_dict(call["state"], strict=False)
    with torch.no_grad():
        model(*call["inputs"])
    torch.cuda.synchronize()


if __name__ == "__main__":
    main(sys.argv[1])
