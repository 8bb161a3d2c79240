"""What the sections share: rows of numbers with their spread, processes with their cost."""

import os
import statistics
import subprocess
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRIVIAL = HERE / "problems" / "trivial.py"
CHAIN = HERE / "problems" / "chain.py"


@dataclass
class Row:
    """One measured number. `low` and `high` are its spread: the 10th and 90th percentile unless `note` says otherwise."""

    name: str
    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    count: int = 1
    goal: str = ""
    note: str = ""

    def json(self):
        return {key: value for key, value in asdict(self).items() if value not in (None, "")}


def row(name, values, unit, goal="", note=""):
    """The median of values."""
    ordered = sorted(values)
    at = lambda share: ordered[round(share * (len(ordered) - 1))]
    spread = (at(0.1), at(0.9)) if len(ordered) > 1 else (None, None)
    return Row(name, statistics.median(ordered), unit, *spread, count=len(ordered), goal=goal, note=note)


@dataclass
class Finished:
    seconds: float
    status: int
    output: str
    errors: list  # (seconds since the start, line)

    def require(self, statuses=(0,)):
        if self.status not in statuses:
            text = "\n".join(line for _, line in self.errors[-20:])
            raise SystemExit(f"a measured command ended with status {self.status}:\n{text}\n{self.output[-2000:]}")
        return self


def run(argv, env=None, cwd=None):
    """Runs a command to its end; lines on standard error are stamped as they come."""
    started = time.perf_counter()
    process = subprocess.Popen([str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                               env={**os.environ, **(env or {})})
    errors = []

    def listen():
        for line in process.stderr:
            errors.append((time.perf_counter() - started, line.decode(errors="replace").rstrip("\n")))

    listener = threading.Thread(target=listen)
    listener.start()
    output = process.stdout.read().decode(errors="replace")
    process.wait()
    seconds = time.perf_counter() - started
    listener.join()
    process.stdout.close()
    process.stderr.close()
    return Finished(seconds, process.returncode, output, errors)


def peak_mb(argv):
    """Peak resident memory of one command, watched while it runs: what wait4 tells is at least that of this process."""
    name, peak = os.path.basename(argv[0]), 0
    while not peak:  # a short command may end before it is looked at
        process = subprocess.Popen([str(a) for a in argv], stdout=subprocess.DEVNULL)
        while process.poll() is None:
            status = Path(f"/proc/{process.pid}/status").read_text()
            if status.startswith(f"Name:\t{name}\n") and "VmHWM:" in status:
                peak = int(status.split("VmHWM:")[1].split()[0])
    return peak / 1024


def own_folder(bench, name):
    folder = bench.folder / name
    folder.mkdir(exist_ok=True)
    return str(folder)


def write_candidates(folder, candidates):
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, candidate in enumerate(candidates):
        path = folder / f"{number:02}-{candidate.name}.py"
        path.write_text(candidate.source)
        paths.append(path)
    return paths
