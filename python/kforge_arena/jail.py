"""Python side of libkforge_jail.so: forks players and lets them enter their jail.

The process that calls Jail.fork is trusted and single-threaded. What the settings mean, and what a report holds,
is said in src/kforge/jail/inside/kforge_jail.h. Imports nothing but the standard library.
"""

import ctypes
import json
import os
import select
import signal
import struct
import sys
import time

_REPORT_BYTES = 1 << 16
_ENDED, _OUT_OF_MEMORY, _FAILED, _OUT_OF_FILES = range(4)
_LOOK_S = 0.0005


class JailError(Exception):
    pass


class Exit:
    """How a player ended: by itself with `code`, or killed by `signal`."""

    def __init__(self, code=None, signal=None, out_of_memory=False, out_of_files=False, error=None):
        self.code, self.signal, self.error = code, signal, error
        self.out_of_memory, self.out_of_files = out_of_memory, out_of_files

    def __repr__(self):
        if self.error:
            return f"not started: {self.error}"
        if self.signal is None:
            return f"exit status {self.code}"
        name = signal.Signals(self.signal).name if self.signal in set(signal.Signals) else "?"
        return f"signal {self.signal} ({name})" + (
            ": out of memory" if self.out_of_memory else ": out of files" if self.out_of_files else "")


def reap(pid, timeout=None):
    """The wait status of a child, or None where it has not ended after `timeout` seconds."""
    if timeout is None:
        return os.waitpid(pid, 0)[1]
    limit = time.monotonic() + timeout
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended or time.monotonic() >= limit:
            return status if ended else None
        time.sleep(_LOOK_S)


class Player:
    """A forked player as its parent sees it. `pid` is that of its init: kill that and nothing of it remains."""

    def __init__(self, pid, status_fd, forget):
        # status_fd turns readable when the player has ended; what it has started may still be about to.
        self.pid, self.status_fd = pid, status_fd
        self._forget = forget  # says whether the kernel found that it took too much memory
        self._exit = None

    def wait(self, timeout=None):
        """An Exit, after which no process is left; or None when one is after `timeout` seconds."""
        start = time.monotonic()
        if self._exit is None and select.select([self.status_fd], [], [], timeout)[0]:
            self._reap(None if timeout is None else max(0, start + timeout - time.monotonic()))
        return self._exit

    def kill(self):
        if self._exit is None:
            os.kill(self.pid, signal.SIGKILL)
            self._reap()
        return self._exit

    def _reap(self, timeout=None):
        status = reap(self.pid, timeout)
        if status is not None:
            self._exit = self._tell(status)

    def _tell(self, status):
        record = os.read(self.status_fd, 8)
        os.close(self.status_fd)
        overflowed = bool(self._forget(self.pid))
        # Without a record init itself was killed.
        reason, value = struct.unpack("=ii", record) if len(record) == 8 else (_ENDED, status)
        if reason == _FAILED:
            return Exit(error=os.strerror(value))
        if reason == _OUT_OF_MEMORY:
            return Exit(signal=value, out_of_memory=True)
        if reason == _OUT_OF_FILES:
            return Exit(signal=value, out_of_files=True)
        ending = _exit_of(value)
        ending.out_of_memory = overflowed and ending.signal == signal.SIGKILL
        return ending


def _exit_of(status):
    if os.WIFSIGNALED(status):
        return Exit(signal=os.WTERMSIG(status))
    return Exit(code=os.WEXITSTATUS(status))


class Jail:
    def __init__(self, library):
        # PyDLL keeps the interpreter lock: the child must not come back without it.
        self._library = ctypes.PyDLL(os.fspath(library))
        self._library.kf_jail_fork.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)]
        self._library.kf_jail_enter.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self._library.kf_jail_probe.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
        self._library.kf_jail_error.restype = ctypes.c_char_p

    @classmethod
    def load(cls, library):
        return cls(library)

    def probe(self, **settings):
        """The report that a player with these settings would get on this machine."""
        report = ctypes.create_string_buffer(_REPORT_BYTES)
        self._check(self._library.kf_jail_probe(_config(settings), report, _REPORT_BYTES))
        return json.loads(report.value)

    def fork(self, **settings):
        """A Player in the caller; None in the player, which then calls enter()."""
        config, status_fd = _config(settings), ctypes.c_int(-1)
        ctypes.pythonapi.PyOS_BeforeFork()
        pid = self._library.kf_jail_fork(config, ctypes.byref(status_fd))
        if pid == 0:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            return None
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        self._check(pid)
        return Player(pid, status_fd.value, self._library.kf_jail_forget)

    def enter(self):
        """Locks this process, a player, in for good. Returns the report; raises JailError when it must end."""
        report = ctypes.create_string_buffer(_REPORT_BYTES)
        self._check(self._library.kf_jail_enter(report, _REPORT_BYTES))
        return json.loads(report.value)

    def _check(self, result):
        if result < 0:
            raise JailError(self._library.kf_jail_error().decode(errors="replace"))


def python_paths():
    """What a player must be able to read for this interpreter to go on importing."""
    package = os.path.dirname(os.path.abspath(__file__))
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    # Packages may also lie in the user's own folder, or wherever PYTHONPATH says.
    elsewhere = {os.path.abspath(path) for path in sys.path if os.path.isdir(path)}
    paths = prefixes - {"/", "/usr"} | {package} | elsewhere
    return sorted(path for path in paths if not any(path.startswith(other + os.sep) for other in paths))


def _config(settings):
    readable = [*python_paths(), *settings.get("readable", [])]
    return json.dumps({**settings, "readable": readable}).encode()


if __name__ == "__main__":
    print(json.dumps(Jail.load(sys.argv[1]).probe(), indent=2))
