#!/usr/bin/env python3
"""Every HTTP provider against a scripted server and every fault it can play; then a real server.

Called as run.py --kforge F --library L --python P; names as arguments select (parts of them).
Prints `ok NAME`, `FAIL NAME` or `[SKIP] NAME: why`.
"""

import argparse
import itertools
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import batch_repairs
import batches
import fault_rules  # noqa: F401 - adds to FAULTS
import golden
import machine
import real
import shared_limits
from dialects import DIALECTS
from faults import FAULTS
from probing import Case, Probe, PLANTED
from server import Answer, Server


class Suite:
    def __init__(self, options):
        self.options = options
        self.failed = 0
        self.folder = Path(options.folder)
        self.server = Server()
        self.elsewhere = Server()
        self.elsewhere_url, self.elsewhere_script = self.elsewhere.play("elsewhere", [Answer([b"{}"], framing="length")])
        self.numbers = itertools.count()

    def wanted(self, name):
        return not self.options.tests or any(part in name for part in self.options.tests)

    def report(self, name, error=None):
        if error:
            self.failed += 1
            print(error, flush=True)
        print(f"{'FAIL' if error else 'ok'} {name}", flush=True)

    def attempt(self, name, function, *arguments):
        if not self.wanted(name):
            return
        try:
            function(*arguments)
        except real.Skip as skip:
            print(f"[SKIP] {name}: {skip}", flush=True)
            return
        except Exception as problem:  # noqa: BLE001 - whatever it is, the test has failed
            detail = f"{problem}" if isinstance(problem, AssertionError) else traceback.format_exc()
            self.report(name, detail)
            return
        self.report(name)

    def faults(self):
        """Most of the time is waiting: several cases at once, each with its own probe."""
        def one(dialect, fault):
            name = f"{dialect.name}/{fault.__name__}"
            if self.wanted(name):
                with Probe(self.options.probe, self.folder) as probe:
                    self.attempt(name, fault, Case(self, dialect, probe, f"c{next(self.numbers)}"))
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda pair: one(*pair), itertools.product(DIALECTS, FAULTS)))

    def run(self):
        self.attempt("at_least_30_faults", lambda: _require(len(FAULTS) >= 30, len(FAULTS)))
        self.faults()
        for dialect in DIALECTS:
            self.attempt(f"{dialect.name}/golden_requests", golden.check, self, dialect)
        for name, dialect in batches.TESTS.items():
            self.attempt(name, batches.check, self, dialect)
        for name, (function, dialect) in batch_repairs.TESTS.items():
            self.attempt(name, function, self, dialect)
        self.attempt("batches/a_sampling_run_suspends_and_resumes", batches.a_sampling_run_suspends_and_resumes, self)
        for name, function in machine.TESTS.items():
            self.attempt(name, function, self)
        for name, function in shared_limits.TESTS.items():
            self.attempt(name, function, self)
        for name, function in real.TESTS.items():
            self.attempt(name, function, self)
        self.attempt("no_output_holds_the_key", self.look_for_the_key)

    def look_for_the_key(self):
        files = [path for path in self.folder.rglob("*") if path.is_file() and not path.is_relative_to(self.folder / "secret")]
        _require(files, "nothing was written")
        for path in files:
            _require(PLANTED.encode() not in path.read_bytes(), f"the key stands in {path.relative_to(self.folder)}")


def _require(condition, message):
    if not condition:
        raise AssertionError(str(message))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--kforge", type=Path, required=True)
    parser.add_argument("--library")
    parser.add_argument("--python", required=True)
    options = parser.parse_args()
    options.kforge = options.kforge.resolve()
    options.probe = options.kforge.parent / "kforge_probe"
    with tempfile.TemporaryDirectory(prefix="kforge-providers-") as folder:
        options.folder = folder
        suite = Suite(options)
        suite.run()
        suite.server.stop()
        suite.elsewhere.stop()
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
