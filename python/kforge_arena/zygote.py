"""The zygote: imports torch once and forks a player per candidate. It never runs an operator itself: a child
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

from . import jail, player
from .channel import Channel, ChannelClosed


class Zygote:
    def __init__(self, channel):
        self.channel = channel
        self.children = {}

    def run(self):
        torch.set_num_threads(1)
        gc.collect()
        gc.freeze()  # keeps the collector from touching, and so copying, the shared pages in every player
        while True:
            try:
                request, fds = self.channel.receive()
            except ChannelClosed:
                return
            if request["op"] == "spawn":
                self.channel.send({"ok": True, "pid": self.spawn(request, fds)})
            elif request["op"] == "wait":
                self.channel.send({"ok": True, **self.wait(request["pid"])})
            for fd in fds:
                os.close(fd)

    def spawn(self, request, fds):
        pid = os.fork()
        if pid:
            self.children[pid] = True
            return pid
        status = 70
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            player.become(request, fds[0], fds[1])
            status = 0
        except BaseException:  # the player's own last words; its parent reads the exit status
            traceback.print_exc()
        finally:
            os._exit(status)

    def wait(self, pid):
        """The player is dead or about to be killed by kforge: this returns soon."""
        if not self.children.pop(pid, False):
            return {"code": 0, "signal": 0}
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            return {"code": 0, "signal": os.WTERMSIG(status)}
        return {"code": os.WEXITSTATUS(status), "signal": 0}
