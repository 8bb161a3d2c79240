#!/usr/bin/env python3
"""Measures KForge itself and prints a table. No number here passes or fails.

run.py                         everything but load_inline
run.py startup versus          some sections
run.py --load-inline           also 20 candidates built by load_inline: a quarter of an hour
run.py --json                  the table as JSON; -o FILE writes JSON beside the table
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import evaluation
import overhead
import providers
import startup
import versus
from measuring import HERE

SECTIONS = {
    "startup": ("Starting the program", startup.measure),
    "overhead": ("KForge's own time per iteration", overhead.measure),
    "evaluation": ("One evaluation of a trivial candidate", evaluation.measure),
    "providers": ("Asking an LLM over HTTP, beside the server's own time", providers.measure),
    "versus": ("Against a sequential evaluator: 20 mixed C-ABI candidates", versus.c_abi),
    "load_inline": ("Against a sequential evaluator: load_inline candidates", versus.load_inline),
}


@dataclass
class Bench:
    kforge: Path
    python: str
    folder: Path
    environment: dict  # of measured commands: nothing of the user's configuration


def table(title, rows, details):
    lines = [f"\n{title}", "-" * len(title)]
    width = max(len(row.name) for row in rows)
    for row in rows:
        spread = f"[{_number(row.low)}, {_number(row.high)}]" if row.low is not None else ""
        goal = f"goal {row.goal}" if row.goal else ""
        lines.append(f"{row.name:<{width}}  {_number(row.value):>8} {row.unit:<2}  {spread:<18}  {goal:<11} {row.note}".rstrip())
    lines += [f"{side} checks: {text}" for side, text in details.get("checks", {}).items()]
    lines += [f"unexpected: {text}" for text in details.get("unexpected", [])]
    return "\n".join(lines)


def _number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def machine():
    processor = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                      if line.startswith("model name")), platform.machine())
    return {"processor": processor, "cores": len(os.sched_getaffinity(0)), "system": platform.platform(),
            "load": os.getloadavg()[0]}


def default_python():
    own = HERE.parents[1] / ".venv" / "bin" / "python"
    return os.environ.get("PYTHON") or (str(own) if own.exists() else sys.executable)


def program(text):
    """A path must mean the same in every folder that is measured in."""
    return os.path.abspath(text) if os.sep in text else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--kforge", type=Path, default=HERE.parents[1] / "build" / "kforge")
    parser.add_argument("--python", type=program, default=default_python(), help="a Python with PyTorch")
    parser.add_argument("--load-inline", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE")
    options = parser.parse_args()
    if unknown := [name for name in options.sections if name not in SECTIONS]:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    wanted = options.sections or [name for name in SECTIONS if name != "load_inline"]
    if options.load_inline and "load_inline" not in wanted:
        wanted.append("load_inline")

    report = {"machine": machine(), "sections": {}}
    shown = sys.stderr if options.json else sys.stdout
    print("{processor}, {cores} cores, load {load:.2f}".format(**report["machine"]), file=shown)
    with tempfile.TemporaryDirectory(prefix="kforge-bench-") as folder:
        for name in wanted:
            title, measure = SECTIONS[name]
            place = Path(folder) / name
            place.mkdir()
            environment = {"XDG_CONFIG_HOME": str(place / "config"), "XDG_CACHE_HOME": str(place / "cache")}
            bench = Bench(options.kforge.resolve(), options.python, place, environment)
            rows, details = measure(bench)
            report["sections"][name] = {"rows": [row.json() for row in rows], **details}
            print(table(title, rows, details), file=shown, flush=True)
    if options.json:
        print(json.dumps(report, indent=1))
    if options.output:
        options.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
