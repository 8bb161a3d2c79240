"""The guarantees of the jail, one test each: ok, FAIL or [SKIP] with the reason. Exit status 1 when one fails.

run.py --library libkforge_jail.so [--python PYTHON] [--only NAME]
As root, everything is run a second time as an ordinary user. --python: an interpreter with torch.
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
stage=$(mktemp -d)
for path in $KEEP; do mkdir -p "$stage$path"; mount --rbind "$path" "$stage$path"; done
if [ -n "$covered" ]; then
  mount -t tmpfs -o mode=755 kforge "$covered"
  for path in $KEEP; do
    case $path in "$covered"/*) mkdir -p "$path"; mount --rbind "$stage$path" "$path";; esac
  done
fi
umount -l $(for path in $KEEP; do echo "$stage$path"; done)
rm -rf "$stage"
exec setpriv --reuid=%s --regid=%s --clear-groups "$@"
""" % (NOBODY, NOBODY)


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


def run_as_user(python, arguments, library):
    show = "import sys, os; print(' '.join({sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)}))"
    prefixes = subprocess.run([python, "-c", show], capture_output=True, text=True, check=True).stdout.split()
    keep = [path for path in prefixes + [ROOT, os.path.dirname(library)] if not path.startswith("/usr")]
    environment = {"PATH": os.environ["PATH"], "KEEP": " ".join(keep)}
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", AS_USER, "sh", first_closed_folder(keep)]
    return subprocess.run(
        [*command, python, os.path.join(HERE, "suite.py"), *arguments], env=environment, cwd="/"
    ).returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    library = os.path.abspath(options.library)
    arguments = ["--library", library, "--only", options.only]
    print(f"as user {os.geteuid()}", flush=True)
    failed = run_suite(options.python, arguments)
    if os.geteuid() == 0:
        print(f"as user {NOBODY}", flush=True)
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0:
            failed |= run_as_user(options.python, arguments, library)
        else:
            print("[SKIP] all: no mount namespace to prepare the change of user in")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
