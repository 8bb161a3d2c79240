"""The guarantees of the jail, one test each: ok, FAIL or [SKIP] with the reason. Exit status 1 when one fails.

run.py --library libkforge_jail.so [--python PYTHON] [--only NAME] [--complete]
As root, everything is run again as an ordinary user, and as one who may not create namespaces: what the layers
that are left promise must hold there too. --python: an interpreter with torch. --complete: on this machine no
promise may be broken but in that last case.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
NOBODY = "65534"

# Makes an interpreter below a home folder with mode 0700 reachable for another user, in a mount namespace of its
# own: an empty folder covers the home, and what is needed is bound back.
AS_USER = """
set -e
covered=$1; shift
if [ -n "$covered" ]; then
  stage=$(mktemp -d)
  for path in $KEEP; do mkdir -p "$stage$path"; mount --rbind "$path" "$stage$path"; done
  mount -t tmpfs -o mode=755 kforge "$covered"
  for path in $KEEP; do mkdir -p "$path"; mount --rbind "$stage$path" "$path"; umount -l "$stage$path"; done
  rm -rf "$stage"
fi
exec setpriv --reuid=%s --regid=%s --clear-groups "$@"
""" % (NOBODY, NOBODY)

# A user namespace in which no other can be made, and no capability: what many containers look like.
WITHOUT_NAMESPACES = [
    *("unshare", "--user", "--map-root-user", "sh", "-c"),
    'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"',
    "sh",
]


def first_closed_folder(paths):
    """The outermost folder above one of the paths that other users may not pass."""
    for path in paths:
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts)):
            folder = "/" + "/".join(parts[:depth])
            if not os.stat(folder).st_mode & 0o001:
                return folder
    return ""


def run_suite(python, arguments):
    return subprocess.run([python, os.path.join(HERE, "suite.py"), *arguments]).returncode


def run_as_user(python, arguments, library, wrapper=()):
    show = "import sys, os; print(' '.join({sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)}))"
    prefixes = subprocess.run([python, "-c", show], capture_output=True, text=True, check=True).stdout.split()
    needed = prefixes + [ROOT, os.path.dirname(library)]
    closed = first_closed_folder(needed)
    keep = [path for path in needed if closed and path.startswith(closed + "/")]
    environment = {"PATH": os.environ["PATH"], "KEEP": " ".join(keep)}
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", AS_USER, "sh", closed]
    return subprocess.run(
        [*command, *wrapper, python, os.path.join(HERE, "suite.py"), *arguments], env=environment, cwd="/"
    ).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kforge", help="not needed here; every conformance test is given it")
    parser.add_argument("--library", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="")
    parser.add_argument("--complete", action="store_true")
    options = parser.parse_args()
    library = os.path.abspath(options.library)
    arguments = ["--library", library, "--only", options.only]
    whole = [*arguments, "--complete"] if options.complete else arguments
    print(f"as user {os.geteuid()}", flush=True)
    failed = run_suite(options.python, whole)
    if os.geteuid() == 0:
        print(f"as user {NOBODY}", flush=True)
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0:
            failed |= run_as_user(options.python, whole, library)
            print(f"as user {NOBODY} without namespaces", flush=True)
            failed |= run_as_user(options.python, arguments, library, WITHOUT_NAMESPACES)
        else:
            print("[SKIP] all: no mount namespace to prepare the change of user in")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
