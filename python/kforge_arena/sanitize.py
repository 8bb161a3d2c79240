"""One call of a candidate under a memory checker: `run` in the player, the rest as a program of its own below it."""

import os
import shutil
import subprocess
import sys

_TOOL = "compute-sanitizer"
_ERRORS_FOUND = 86
_MOST_ERRORS = 5
_LONGEST_REASON = 200
_BETWEEN_BYTES = 1 << 16  # after every allocation: they lie side by side, and what is beyond one is in the next


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
    # Every tensor in memory of its own: what reaches beyond it would else meet other memory of the same process. What PyTorch
    # cannot do that way, such as capture a graph, is tried with memory that it manages.
    alone = {**os.environ, "PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    result = _check(program, limit_s, alone)
    return _check(program, limit_s, dict(os.environ)) if "not_done" in result else result


def _check(program, limit_s, environment):
    # What the driver refuses is no access to memory, and shows by how the call ends.
    command = [program, "--tool", "memcheck", "--error-exitcode", str(_ERRORS_FOUND), "--print-limit", str(_MOST_ERRORS),
               "--padding", str(_BETWEEN_BYTES), "--report-api-errors", "no", sys.executable, os.path.abspath(__file__), "sanitize.pt"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit_s, env=environment)
    except subprocess.TimeoutExpired:
        return {"not_done": f"{_TOOL} had not ended after {limit_s:g} s"}
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    report = "\n".join(line.removeprefix("=========").rstrip() for line in lines if line.startswith("========="))
    if done.returncode == _ERRORS_FOUND:
        return {"found": True, "report": report[-8000:]}
    # It passes on how the program ended: a call that failed for another reason was not checked to its end.
    if done.returncode != 0 or "ERROR SUMMARY" not in report:
        said = [line for line in lines if line.strip() and not line.startswith("=========")]
        last = said[-1] if done.returncode != 0 and said else report[-_LONGEST_REASON:]
        return {"not_done": f"the call under {_TOOL} ended with status {done.returncode}: {last[-_LONGEST_REASON:]}"}
    return {"found": False, "report": report[-8000:]}


def main(path):
    import importlib.util

    import torch
    sys.path[0] = os.getcwd()  # not the folder of this file: what the candidate imports lies beside it
    call = torch.load(path, weights_only=True)
    spec = importlib.util.spec_from_file_location("candidate", os.path.abspath("candidate.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    model_class = getattr(module, "NewModel", None) or module.ModelNew
    # As the player does it: another module would be checked otherwise.
    init = call["init"]
    torch.manual_seed(call["seed"])
    with torch.no_grad(), torch.device(call["device"]):
        model = model_class(**init) if isinstance(init, dict) else model_class(*init)
    model.to(call["device"])
    model.load_state_dict(call["state"], strict=False)
    model.requires_grad_(False)
    if call["mode"] == "eval":
        model.eval()
    with torch.no_grad():
        model(*call["inputs"])
    if call["device"] != "cpu":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main(sys.argv[1])
