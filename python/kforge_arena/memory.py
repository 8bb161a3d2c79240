"""How much memory a trusted process may take before the kernel's killer would end it, or another one."""

import os
import resource

_SPARED = 16  # one part in this many is left to others


def _number(path):
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):  # not there, or "max"
        return None


def _table(path):
    """Of lines like `MemTotal: 123 kB` and `active_file 123`: the numbers by name."""
    try:
        with open(path, encoding="ascii") as file:
            words = [line.replace(":", " ").split() for line in file]
    except OSError:
        return {}
    return {line[0]: int(line[1]) for line in words if len(line) > 1 and line[1].isdigit()}


def _groups(proc, cgroups):
    """The folders of the control groups that hold this process, with the names of their files, by both versions."""
    try:
        with open(f"{proc}/self/cgroup", encoding="utf-8") as file:
            lines = [line.strip().split(":", 2) for line in file]
    except OSError:
        return
    for _, controllers, path in lines:
        if controllers == "":
            root, names = cgroups, ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            root, names = f"{cgroups}/memory", ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        while True:  # a container may see its own group as the root
            yield (root + path).rstrip("/"), *names
            if path in ("", "/"):
                break
            path = os.path.dirname(path)


def free_bytes(proc="/proc", cgroups="/sys/fs/cgroup"):
    """What is free or easily freed, swap included; at least half of all, for what others hold now they may give back."""
    table = _table(f"{proc}/meminfo")
    if "MemAvailable" not in table:
        return None
    total = (table["MemTotal"] + table.get("SwapTotal", 0)) << 10
    free = (table["MemAvailable"] + table.get("SwapFree", 0)) << 10
    for folder, limit_name, usage_name in _groups(proc, cgroups):
        limit, usage = _number(f"{folder}/{limit_name}"), _number(f"{folder}/{usage_name}")
        if limit is None or usage is None:
            continue
        files = _table(f"{folder}/memory.stat")
        total = min(total, limit)
        free = min(free, limit - usage + files.get("active_file", 0) + files.get("inactive_file", 0))
    return max(free - free // _SPARED, total // 2)


def limit_addresses(device):
    """A problem that asks for more memory than there is gets a MemoryError, not the kernel's killer."""
    if device != "cpu":
        return  # the driver reserves more addresses than any machine has memory
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = total + (4 << 30) if hard == resource.RLIM_INFINITY else min(hard, total + (4 << 30))
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def limit_data(free=None):
    """A problem that asks for more than there is gets a MemoryError at once. For this process and what it forks from now on."""
    free = free or free_bytes()
    if free is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    used = _table("/proc/self/status").get("VmData", 0) << 10
    limit = used + free
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def require(nbytes):
    """Raises MemoryError where the limit is below that."""
    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if limit != resource.RLIM_INFINITY and nbytes > limit:
        raise MemoryError(f"{nbytes / 1e9:.3g} GB, and there are {limit / 1e9:.3g}")
