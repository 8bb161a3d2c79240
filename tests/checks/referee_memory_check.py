"""Checks how the referee keeps a problem from taking more memory than there is. Needs PyTorch; exit 0 if all is well, 1 if not."""

import os
import pathlib
import resource
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from kforge_arena import memory, sizes  # noqa: E402

MEMINFO = "MemTotal: 4000 kB\nMemFree: 1 kB\nMemAvailable: 3200 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"


def write(root, files):
    for name, text in files.items():
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def free(files):
    with tempfile.TemporaryDirectory() as root:
        write(root, {"proc/meminfo": MEMINFO, **files})
        found = memory.free_bytes(f"{root}/proc", f"{root}/groups")
        return found and found / 1024


def check_what_is_free():
    assert free({}) == 3000
    assert free({"proc/meminfo": MEMINFO.replace("3200", "100")}) == 2000  # others may give theirs back
    assert free({"proc/meminfo": "Odd: 3\n"}) is None
    second = {"proc/self/cgroup": "0::/a/b\n", "groups/a/b/memory.max": "max\n", "groups/a/b/memory.current": "7\n"}
    assert free(second) == 3000
    limited = {"groups/a/memory.max": f"{1600 << 10}\n", "groups/a/memory.current": f"{800 << 10}\n",
               "groups/a/memory.stat": f"anon 5\nactive_file {600 << 10}\ninactive_file {200 << 10}\n"}
    assert free({**second, **limited}) == 1500
    first = {"proc/self/cgroup": "3:cpu:/x\n2:memory:/not/here\n", "groups/memory/memory.limit_in_bytes": f"{1600 << 10}\n",
             "groups/memory/memory.usage_in_bytes": "0\n"}
    assert free(first) == 1500


def in_a_child(work):
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            print(type(error).__name__, error, file=sys.stderr)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0


def refused(function):
    try:
        function()
    except (MemoryError, RuntimeError) as error:
        return isinstance(error, MemoryError) or "can't allocate memory" in str(error)
    return False


def limited():
    memory.limit_data(1 << 30)
    torch.empty(100 << 20, dtype=torch.uint8).fill_(1)  # what fits is not in its way
    assert refused(lambda: [torch.empty(64 << 20, dtype=torch.uint8) for _ in range(20)])
    started = time.monotonic()
    assert refused(sizes.with_leading_size(lambda: [torch.ones(64, 256)], 100_000_000))
    assert time.monotonic() - started < 5
    assert sizes.with_leading_size(lambda: [torch.ones(64, 256)], 100)()[0].shape == (100, 256)
    assert resource.getrlimit(resource.RLIMIT_DATA)[1] == resource.RLIM_INFINITY  # no more than asked for


check_what_is_free()
in_a_child(limited)
print("ok")
