"""The zygote: has torch from the nursery and forks a player per candidate. It never runs an operator itself: a child
forked after a parallel region hangs in its first one."""

import ctypes  # noqa: F401  imported for the players
import gc
import inspect  # noqa: F401
import math  # noqa: F401
import os
import signal
import subprocess  # noqa: F401
import tempfile  # noqa: F401
import traceback

import torch
import torch.nn.functional  # noqa: F401

from . import entering, jail
from .channel import ChannelClosed


class OpenPlayer:
    """A player without a jail, with the interface of jail.Player."""

    def __init__(self, pid):
        self.pid = pid

    def wait(self, timeout):
        status = jail.reap(self.pid, timeout)
        if status is None:
            return None
        if os.WIFSIGNALED(status):
            return jail.Exit(signal=os.WTERMSIG(status))
        return jail.Exit(code=os.WEXITSTATUS(status))


class Zygote:
    def __init__(self, channel):
        self.channel = channel
        self.players = {}
        self.jail = None

    def run(self):
        torch.set_num_threads(1)
        while True:
            try:
                request, fds = self.channel.receive()
            except ChannelClosed:
                return
            try:
                method = {"preload": self.preload, "spawn": self.spawn, "wait": self.wait}[request["op"]]
                reply = {"ok": True, **method(request, fds)}
            except (OSError, jail.JailError) as error:
                reply = {"ok": False, "kind": "MachineError", "message": f"{type(error).__name__}: {error}"}
            self.channel.send(reply)
            for fd in fds:
                os.close(fd)

    def preload(self, request, fds):
        """What the platform's program imports and builds, players have from the beginning. That is all it is for: a
        candidate that needs what fails here finds out by itself."""
        try:
            exec(request["source"], {"__name__": "preload", "cache": request["cache"]})
        except Exception:
            traceback.print_exc()
        gc.freeze()  # keeps the collector from touching, and so copying, the shared pages in every player
        return {"torch": torch.__version__}

    def spawn(self, request, fds):
        settings = request["jail"]
        if settings is None:
            pid = os.fork()
            child = OpenPlayer(pid) if pid else None
        else:
            self.jail = self.jail or jail.Jail.load(settings.pop("library"))
            settings.pop("library", None)
            child = self.jail.fork(descriptors=[fds[0]], output=fds[1], **settings)
        if child is None:
            self.play(request, fds)
        self.players[child.pid] = child
        return {"pid": child.pid}

    def play(self, request, fds):
        """In the child; never returns."""
        status = 70
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            entering.become(request, fds[0], fds[1], self.jail)
            status = 0
        except BaseException:  # the player's own last words; its parent reads the exit status
            traceback.print_exc()
        finally:
            os._exit(status)

    def wait(self, request, fds):
        """The player is dead or was killed by kforge, and ends soon; where not, it is asked for again: others are
        waiting as well."""
        child = self.players.get(request["pid"])
        ending = child.wait(request["limit_s"]) if child else jail.Exit(code=0)
        if ending is None:
            return {"ended": False}
        self.players.pop(request["pid"], None)
        return {"ended": True, "code": ending.code or 0, "signal": ending.signal or 0, "out_of_memory": ending.out_of_memory,
                "out_of_files": ending.out_of_files, "error": ending.error or ""}
