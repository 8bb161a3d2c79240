"""What the proofs on a device have in common: a JSON file that is true at any moment, with what it needs to be repeated."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def said(*argv, limit_s=60):
    """The output of a command, or why there is none."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=limit_s)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not known: {error}"
    return (done.stdout or done.stderr).strip()


def commit_of(kforge):
    """An unpacked archive says of itself what it was made from."""
    about = pathlib.Path(kforge).resolve().parents[1] / "VERSION"
    if about.exists():
        return re.search(r"^commit (.*)$", about.read_text(encoding="utf-8"), re.MULTILINE)[1]
    return said("git", "-C", str(ROOT), "rev-parse", "HEAD")


def machine(kforge, python):
    """Versions, and the state of the device when the proof began."""
    query = "name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,temperature.gpu,power.draw,memory.used"
    code = ("import json, torch; print(json.dumps({'torch': torch.__version__, 'cuda': torch.version.cuda, "
            "'device': torch.cuda.get_device_name() if torch.cuda.is_available() else None}))")
    torch = said(python, "-c", code)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "kforge": said(kforge, "version"),
        "commit": commit_of(kforge),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "python": said(python, "--version"),
        "torch": json.loads(torch) if torch.startswith("{") else torch[-300:],
        "triton": said(python, "-c", "import triton; print(triton.__version__)")[-300:],
        "nvcc": said("nvcc", "--version").splitlines()[-1:],
        "gpu": {"query": query, "values": said("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader")},
    }


def shown(argv, python=sys.executable):
    """A command as it is kept: it says nothing of where things lie on this machine."""
    words = ("python3" if word in (python, sys.executable) else str(word).replace(f"{ROOT}/", "") for word in argv)
    return shlex.join(words)


class Proof:
    """One JSON file in the output folder, rewritten after each step; and the time that is left."""

    def __init__(self, name, options):
        self.path = pathlib.Path(options.out) / f"{name}.json"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.started = time.monotonic()
        self.deadline_s = options.deadline_s
        self.facts = {"proof": name, "command": shown([sys.executable, *sys.argv]), "complete": False,
                      "machine": machine(options.kforge, options.python)}
        self.save()

    def left_s(self):
        return self.deadline_s - (time.monotonic() - self.started)

    def save(self, **facts):
        self.facts.update(facts)
        self.facts["seconds"] = round(time.monotonic() - self.started, 1)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.facts, indent=1) + "\n", encoding="utf-8")
        new.replace(self.path)

    def say(self, text):
        print(f"[{time.monotonic() - self.started:6.1f} s] {text}", flush=True)


def make_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="folder for the JSON file")
    parser.add_argument("--kforge", default=str(ROOT / "build/kforge"), type=os.path.abspath)
    parser.add_argument("--python", default=sys.executable, help="the Python that has PyTorch")
    parser.add_argument("--deadline-s", type=float, default=570, help="stops cleanly after this (default: %(default)s)")
    return parser
