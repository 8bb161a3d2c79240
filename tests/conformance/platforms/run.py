"""Every platform: its example passes by the best means of this machine, and a broken copy of it does not.

Where the device is, the example is correct; elsewhere it is checked, never correct, and no speedup is told. What needs a
toolchain that is not here is skipped by name.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOLCHAINS = ROOT / ".cache" / "toolchains"  # see scripts/bootstrap

FEW_ROWS = ["--set", "rows=128"]  # for an interpreter, which goes on with cases for as long as it may

# What breaks an example, by the text that it replaces: the same for all that share a kind of check.
BREAKAGES = {
    "compiled": [(" = threadIdx.x", " = threadIdx.x +* ", {"compilation_failure"}),
                 ("tl.sigmoid(", "tl.sigmoidal(", {"compilation_failure", "runtime_error"}),
                 ("cute.autovec_copy(", "cute.autovec_copied(", {"compilation_failure", "runtime_error"})],
    "interpreted": [("axis=1) / cols", "axis=1) / BLOCK", {"mismatch"})],
    "parsed": [("float sum = 0.0f;", "float sum = 0.0f", {"compilation_failure"})],
}


def kforge(args, *words):
    own = TOOLCHAINS / "bin" / "python"
    nvcc = next(TOOLCHAINS.glob("lib/python*/site-packages/nvidia/*/bin/nvcc"), TOOLCHAINS / "bin" / "nvcc")
    environment = {**os.environ, "KFORGE_PYTHON": str(own) if own.exists() else args.python,
                   "PATH": os.pathsep.join([os.environ["PATH"], str(nvcc.parent)])}
    done = subprocess.run([args.kforge, *words, "--json"], capture_output=True, text=True, env=environment)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"state": f"exit status {done.returncode}", "evidence": done.stderr[-2000:]}


def evaluate(args, platform, kernels, reference):
    """The results of all of them, in this order."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"kernel_{number}.py" for number in range(len(kernels))]
        for file, kernel in zip(files, kernels):
            file.write_text(kernel)
        answer = kforge(args, "eval", *map(str, files), "--problem", str(reference), "--platform", platform["name"],
                        "--baselines", "eager", "--timing-budget-s", "0.2",
                        *(FEW_ROWS if not platform["usable"] and "\nrows = " in reference.read_text() else ()))
    return answer["results"] if "results" in answer else [answer] * len(kernels)


def example_of(platform):
    """Its folder's own, or the one that it shares."""
    folder = pathlib.Path(platform["folder"])
    own = folder / "example"
    return own if own.is_dir() else folder.parent / "shared" / platform["dialect"] / "example"


def breakages(platform, kernel):
    """(which check finds it, the kernel with it, what it is found to be)"""
    for check in platform["checks"]:
        for text, broken, states in BREAKAGES[check["reason"]]:
            if check["available"] and text in kernel:
                yield f"broken, {check['name']}", kernel.replace(text, broken, 1), states


def try_platform(args, platform):
    """Yields (what, complaint or None)."""
    example = example_of(platform)
    kernel, reference = (example / "kernel.py").read_text(), example / "reference.py"
    tried = [("example", kernel, {"correct"} if platform["usable"] else {"checked"})]
    if not platform["usable"]:
        tried += breakages(platform, kernel)
    results = evaluate(args, platform, [text for _, text, _ in tried], reference)
    for (what, _, states), result in zip(tried, results, strict=True):
        honest = platform["usable"] or (result.get("speedup") is None and result.get("timings") is None)
        yield what, None if result["state"] in states and honest else json.dumps(result)[:3000]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kforge", required=True)
    parser.add_argument("--library")
    parser.add_argument("--python", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    failed = 0
    for platform in kforge(args, "platforms")["platforms"]:
        name = platform["name"]
        if args.names and name not in args.names:
            continue
        for check in platform["checks"]:
            if not check["available"]:
                print(f"[SKIP] {name}, {check['name']}: {check['missing']}", flush=True)
        if not platform["usable"] and not any(check["available"] for check in platform["checks"]):
            continue
        for what, complaint in try_platform(args, platform):
            print(f"{'FAIL' if complaint else 'ok'} {name} {what}{': ' + complaint if complaint else ''}", flush=True)
            failed += bool(complaint)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
