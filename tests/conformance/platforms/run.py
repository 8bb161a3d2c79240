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

# What breaks an example, by the text that it replaces: the same for all that share a kind of check.
BREAKAGES = {
    "compiled": [(" = threadIdx.x", " = threadIdx.x +* ", {"compilation_failure"}),
                 ("tl.sigmoid(", "tl.sigmoidal(", {"compilation_failure", "runtime_error"}),
                 ("cute.autovec_copy(", "cute.autovec_copied(", {"compilation_failure", "runtime_error"})],
    "interpreted": [("axis=1) / cols", "axis=1) / BLOCK", {"mismatch"})],
    "parsed": [("float sum = 0.0f;", "float sum = 0.0f", {"compilation_failure"})],
}


def kforge(args, *words):
    environment = {**os.environ, "KFORGE_PYTHON": args.python}
    done = subprocess.run([args.kforge, *words, "--json"], capture_output=True, text=True, env=environment)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"state": f"exit status {done.returncode}", "evidence": done.stderr[-2000:]}


def evaluate(args, platform, kernel, reference):
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(kernel)
        file.flush()
        return kforge(args, "eval", file.name, "--problem", str(reference), "--platform", platform["name"],
                      "--baselines", "eager", "--timing-budget-s", "0.2")


def example_of(platform):
    """Its folder's own, or the one that it shares."""
    folder = pathlib.Path(platform["folder"])
    own = folder / "example"
    return own if own.is_dir() else folder.parent / "shared" / platform["dialect"] / "example"


def try_platform(args, platform):
    """Yields (what, complaint or None)."""
    example = example_of(platform)
    kernel, reference = (example / "kernel.py").read_text(), example / "reference.py"
    result = evaluate(args, platform, kernel, reference)
    wanted = {"correct"} if platform["usable"] else {"checked"}
    honest = platform["usable"] or (result.get("speedup") is None and result.get("timings") is None)
    yield "example", None if result["state"] in wanted and honest else json.dumps(result)[:3000]
    if platform["usable"]:
        return
    for check in platform["checks"]:
        for text, broken, states in BREAKAGES[check["reason"]]:
            if check["available"] and text in kernel:
                result = evaluate(args, platform, kernel.replace(text, broken, 1), reference)
                yield f"broken, {check['name']}", None if result["state"] in states else json.dumps(result)[:3000]


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
