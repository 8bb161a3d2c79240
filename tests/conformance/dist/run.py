"""What `make dist` promises, one test each: the same bytes for the same commit, nothing wanted but glibc, and a first
evaluation and run in bare root file systems. ok, FAIL or [SKIP] with the reason; exit status 1 when one fails.

run.py --python PYTHON with torch
"""

import argparse
import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DIST = ROOT / "scripts/dist"
NOBODY = "65534"
OLDEST = "2.36"

# Makes $1 the root of a mount namespace, with the folders of $2 in it, and is an ordinary user there without any
# variable of ours. pivot_root, because nobody may make user namespaces, as the jail does, in a chroot.
IN_A_ROOT = """
set -e
root=$1 folders=$2 python=$3; shift 3
mount --bind "$root" "$root"
for folder in $folders; do mkdir -p "$root$folder"; mount --rbind "$folder" "$root$folder"; done
mount --bind "$root/opt" "$root/opt"; mount -o remount,bind,ro "$root/opt"
cd "$root"
pivot_root . old
umount -l /old
cd /tmp
nobody=; [ -n "$ORDINARY" ] || nobody="setpriv --reuid=%s --regid=%s --clear-groups"
exec $nobody env -i PATH=/usr/bin:/bin HOME=/tmp/home KFORGE_PYTHON="$python" sh -c "$*"
""" % (NOBODY, NOBODY)


def run(argv, **more):
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)
    return done.returncode, done.stdout


class Dist:
    def __init__(self, folder, python):
        self.folder = Path(folder)
        self.python = python
        here = tuple(map(int, platform.libc_ver()[1].split(".")))
        # Built on a newer system it is one for newer systems: what it wants beyond that can still be checked.
        self.glibc = OLDEST if here <= tuple(map(int, OLDEST.split("."))) else platform.libc_ver()[1]
        self.user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        self.unpacked = None

    def pack(self, name, **more):
        output = self.folder / name
        status, text = run([DIST, "--glibc", self.glibc, "--output", output], **more)
        assert status == 0, text
        return next(output.glob("*.tar.gz"))

    def same_commit_same_bytes(self):
        first = self.pack("first")
        second = self.pack("second", env={**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C"}, umask=0o077)
        assert first.read_bytes() == second.read_bytes(), "a second archive of the same commit differs"
        assert first.stat().st_size < 10e6, f"{first.stat().st_size} bytes"
        shutil.unpack_archive(first, self.folder)
        self.unpacked = Path(glob.glob(f"{self.folder}/kforge-*")[0])

    def what_wants_more_is_refused(self):
        status, text = run([DIST, "--glibc", "2.17", "--output", self.folder / "third"])
        assert status == 1 and "wants GLIBC 2.3" in text, text
        assert not (self.folder / "third").exists(), "it was written all the same"

    def starts_with_glibc_alone(self):
        """Also through a link; and without Python it says so."""
        root = self.folder / "bare"
        shutil.copytree(self.unpacked, root / "opt/kforge")
        _, libraries = run(["ldd", self.unpacked / "bin/kforge"])
        for library in re.findall(r"/\S+", libraries):
            (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, root / library[1:])
        assert len(libraries.splitlines()) <= 5, f"more than glibc: {libraries}"
        (root / "link").symlink_to("opt/kforge/bin/kforge")

        def inside(*words):
            return run(["unshare", *self.user, "chroot", root, "/link", *words], env={"PATH": os.environ["PATH"] + ":/usr/sbin"}, cwd="/")

        status, text = inside("--version")
        assert status == 0 and self.unpacked.name == f"kforge-{text.split()[-1]}", text
        for words, expected in ((["platforms"], "nvidia-triton"), (["problems"], "gemm-tail/"), (["llms"], "mailbox"),
                                (["problems", "show", "starter/03_gelu_layernorm_residual"], "class Model")):
            status, text = inside(*words)
            assert status == 0 and expected in text and str(ROOT) not in text, f"{words}: {status} {text}"
        status, text = inside("doctor")
        assert status == 3 and "Python" in text, f"doctor: {status} {text}"

    def works_with_a_python(self):
        """Read-only, as an ordinary user, with an emptied environment: doctor, an evaluation, a replayed run."""
        root = self.folder / "root"
        for folder in ("opt", "old", "tmp"):
            (root / folder).mkdir(parents=True)
        (root / "tmp").chmod(0o1777)
        shutil.copytree(self.unpacked, root / "opt/kforge")
        for name in ("bin", "sbin", "lib", "lib64"):  # links into /usr, on every system of today
            if os.path.islink(f"/{name}"):
                shutil.copy(f"/{name}", root / name, follow_symlinks=False)
        show = "import sys, os; print(*{sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)})"
        prefixes = subprocess.check_output([self.python, "-c", show], text=True).split()
        folders = ["/usr", "/etc", "/proc", "/dev", *(path for path in prefixes if not path.startswith("/usr"))]
        example = "/opt/kforge/share/kforge/platforms/cpu-cpp/example"
        demo = "replay:/opt/kforge/share/kforge/recordings/gelu_layernorm_residual"
        fast = "--baselines eager --timing-budget-s 0.2"
        command = f"""set -e; ln -s /opt/kforge/bin/kforge kforge; id -u
            ./kforge doctor
            ./kforge eval {example}/kernel.py --problem {example}/reference.py {fast}
            ./kforge run starter/gelu_layernorm_residual --llm {demo} -n 3 {fast}
            ls -d runs/*/best/candidate.py"""
        status, text = run(["unshare", *self.user, "--mount", "--propagation", "private", "sh", "-c", IN_A_ROOT, "sh",
                            root, " ".join(folders), self.python, command],
                           env={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "ORDINARY": "".join(self.user)})
        assert status == 0 and text.rstrip().endswith("best/candidate.py"), f"exit status {status}\n{text}"
        assert self.user or text.startswith(NOBODY), text

    def a_lost_folder_is_told(self):
        shutil.copy(self.unpacked / "bin/kforge", self.folder / "kforge")
        status, text = run([self.folder / "kforge", "problems"])
        assert status == 3 and "unpack KForge's archive again" in text, f"{status} {text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kforge", help="not needed here; every conformance test is given it")
    parser.add_argument("--library", help="not needed here either")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    if platform.machine() != "x86_64":
        print(f"[SKIP] all: the archive is one for x86-64, and this is {platform.machine()}")
        return 0
    failed = False
    with tempfile.TemporaryDirectory(prefix="kforge-dist-") as folder:
        dist = Dist(folder, options.python)
        may_mount = run(["unshare", *dist.user, "--mount", "true"])[0] == 0
        for test in (dist.same_commit_same_bytes, dist.what_wants_more_is_refused, dist.a_lost_folder_is_told,
                     dist.starts_with_glibc_alone, dist.works_with_a_python):
            if not may_mount and test in (dist.starts_with_glibc_alone, dist.works_with_a_python):
                print(f"[SKIP] {test.__name__}: no right to make a root file system here")
                continue
            try:
                test()
                print(f"ok {test.__name__}", flush=True)
            except AssertionError as why:
                failed = True
                print(f"{why}\nFAIL {test.__name__}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
