"""The tests of one user: see run.py."""

import argparse
import os
import shutil
import sys
import time
import traceback

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the zygote stays at one thread
os.environ["TMPDIR"] = "/tmp"

import harness  # noqa: E402
import guarantees_calls  # noqa: E402, F401
import guarantees_files  # noqa: E402, F401
import guarantees_limits  # noqa: E402, F401
import guarantees_processes  # noqa: E402, F401
import guarantees_work  # noqa: E402, F401


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--only", action="append", default=[], help="a part of a name")
    parser.add_argument("--complete", action="store_true")
    options = parser.parse_args()
    zygote = harness.Zygote(options.library)
    report = zygote.jail.probe()
    for layer, state in report["layers"].items():
        if state != "ok":
            print(f"  layer {layer}: {state}")
    for broken in report["broken"]:
        print(f"  not promised here: {broken['promise']} ({broken['why']})")
    failures = 0
    if options.complete and report["broken"]:
        failures += 1
        print("FAIL every promise is kept on this machine")
    for test in harness.TESTS:
        name = test.__name__
        if options.only and not any(part in name for part in options.only):
            continue
        start = time.monotonic()
        try:
            for need in test.needs:
                if reason := harness.why_not(need, report):
                    raise harness.Skip(reason)
            text = test(zygote)
            print(f"ok {name} ({time.monotonic() - start:.2f} s){': ' + text if text else ''}", flush=True)
        except harness.Skip as reason:
            print(f"[SKIP] {name}: {reason}", flush=True)
        except Exception:
            failures += 1
            print(f"FAIL {name}\n{traceback.format_exc()}", flush=True)
    shutil.rmtree(zygote.outside, ignore_errors=True)
    shutil.rmtree(zygote.fallback, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
