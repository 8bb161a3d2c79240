"""The nursery: imports torch once and becomes, by fork, every other process of the arena.

It never runs an operator (a child forked after a parallel region hangs in its first one) and is told no secrets. The
zygote is forked first, before the environment of the trusted processes has been here: players inherit its memory.
"""

import ctypes
import gc
import os
import signal
import sys
import traceback

gc.disable()  # a tenth of the import is spent on looking for garbage, and none of it goes away
import torch  # noqa: F401, E402  imported for the others

from .channel import ChannelClosed

_PR_SET_PDEATHSIG = 1


class Nursery:
    def __init__(self, channel, roles):
        self.channel = channel
        self.roles = roles  # what each does with its channel
        self.pid = os.getpid()

    def run(self):
        gc.freeze()  # keeps the collector from touching, and so copying, the shared pages in every process
        gc.enable()
        while True:
            try:
                request, fds = self.channel.receive()
            except ChannelClosed:
                return
            pid = os.fork()
            if pid == 0:
                self._become(request, *fds)
            for fd in fds:
                os.close(fd)
            self.channel.send({"ok": True, "pid": pid})

    def _become(self, request, channel_fd, log_fd):
        """In the child; never returns."""
        status = 70
        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != self.pid:
                return
            os.setsid()
            self.channel.close()
            for fd in (1, 2):
                os.dup2(log_fd, fd)
            os.close(log_fd)
            if request.get("environment") is not None:
                os.environ.clear()
                os.environ.update(request["environment"])
            sys.argv[1] = request["role"]
            self.roles[request["role"]](channel_fd)
            status = 0
        except BaseException:  # its last words; kforge reads them from the log
            traceback.print_exc()
        finally:
            os._exit(status)
