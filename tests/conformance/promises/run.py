"""The promises of docs/arena.md, one test each, proved by experiment with the real program.

run.py --kforge KFORGE --library libkforge_jail.so [--python PYTHON] [--only PATTERN]...
Prints `ok NAME`, `FAIL NAME: why` or `[SKIP] NAME: why`; exit status 1 when one fails.

A promise is a file NN_its_words.py here (tests/checks/promises.py compares them with the document). It has

    check(found, world)   raises AssertionError where the promise is not kept, Skip where this machine cannot tell;
                          found: results of `kforge eval --json` by candidate, world: see World
    CANDIDATES            optional: source text by name
    PROBLEM, OPTIONS      of the session; promises that name the same ones share it: starting one takes seconds
    FIRST = True          its candidates come first in their session: what is made for them is not made again later
    watch(world, ended)   optional: runs beside the session until the event `ended` is set

A source text may say @FOLDER@, the folder for temporary files of KForge itself in that session.
"""

import argparse
import collections
import fnmatch
import importlib.util
import os
import sys
import tempfile
import threading
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from kforge_session import Kforge  # noqa: E402
from promise import USUAL, Skip, World  # noqa: E402


def load(path):
    spec = importlib.util.spec_from_file_location(f"promise_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.name = path.stem
    return module


def evaluate(promises, world):
    """Judges the candidates of promises that share a session: {promise: {candidate: result}}."""
    promises = sorted(promises, key=lambda promise: not getattr(promise, "FIRST", False))
    order = [(promise, name) for promise in promises for name in promise.CANDIDATES]
    paths = []
    for index, (promise, name) in enumerate(order):
        paths.append(world.folder / "candidates" / f"{index:03}_{name.replace(' ', '_')}.py")
        paths[-1].parent.mkdir(exist_ok=True)
        text = promise.CANDIDATES[name].replace("@FOLDER@", str(world.temporary))
        paths[-1].write_text(text, encoding="utf-8", newline="")
    ended = threading.Event()
    watchers = [threading.Thread(target=promise.watch, args=(world, ended))
                for promise in promises if hasattr(promise, "watch")]
    for watcher in watchers:
        watcher.start()
    try:
        results, trouble = world.kforge.evaluate(paths, promises[0].PROBLEM, promises[0].OPTIONS,
                                                 {"TMPDIR": str(world.temporary)})
    finally:
        ended.set()
        for watcher in watchers:
            watcher.join()
    if results is None:
        raise AssertionError(trouble)
    found = collections.defaultdict(dict)
    for (promise, name), result in zip(order, results):
        found[promise.name][name] = result
    return found


def tell(promise, found, world):
    """Checks one promise and says how it went; whether it is kept."""
    try:
        promise.check(found, world)
    except Skip as why:
        print(f"[SKIP] {promise.name}: {why}", flush=True)
    except AssertionError as why:
        print(f"FAIL {promise.name}: {why}", flush=True)
        return False
    except Exception:
        print(f"FAIL {promise.name}\n{traceback.format_exc()}", flush=True)
        return False
    else:
        print(f"ok {promise.name}", flush=True)
    return True


def run_session(promises, options):
    """Whether all of them are kept."""
    with tempfile.TemporaryDirectory(prefix="kforge-promises-") as folder:
        world = World(Kforge(options.kforge, options.python), options.library, options.python, Path(folder))
        try:
            found = evaluate(promises, world) if hasattr(promises[0], "CANDIDATES") else {}
        except AssertionError as why:
            for promise in promises:
                print(f"FAIL {promise.name}: {why}", flush=True)
            return False
        return all([tell(promise, found.get(promise.name, {}), world) for promise in promises])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kforge", required=True, type=os.path.abspath)
    parser.add_argument("--library", required=True, type=os.path.abspath)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", action="append", help="shell pattern of names, such as '03_*'")
    options = parser.parse_args()
    sessions = collections.defaultdict(list)
    for path in sorted(HERE.glob("[0-9][0-9]_*.py")):
        if options.only and not any(fnmatch.fnmatch(path.stem, pattern) for pattern in options.only):
            continue
        promise = load(path)
        if hasattr(promise, "CANDIDATES"):
            promise.OPTIONS = getattr(promise, "OPTIONS", USUAL)
            sessions[promise.PROBLEM, tuple(promise.OPTIONS)].append(promise)
        else:
            sessions[promise.name].append(promise)
    return 0 if all([run_session(promises, options) for promises in sessions.values()]) else 1


if __name__ == "__main__":
    sys.exit(main())
