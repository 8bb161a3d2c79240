"""How a freshly forked process becomes a player: the jail, its environment, its folder; then it serves until it is told to stop."""

import os
import resource
import shutil
import sys
import tempfile
import traceback

import torch

from .channel import Channel, ChannelClosed
from .player import LoadFailure, Player, kinds_of

_SCRATCH_VARIABLES = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCH_EXTENSIONS_DIR", "TRITON_CACHE_DIR", "CCACHE_DIR")


def become(config, control_fd, log_fd, jail):
    """Turns this freshly forked process into a player and serves until told to stop."""
    if config["jail"] is None:
        control_fd, report = _enter_plainly(config, control_fd, log_fd), None
    else:
        report = jail.enter()
    scratch = report["scratch"] if report else config["scratch"]
    os.environ.clear()
    os.environ.update(config["environment"])
    for name in _SCRATCH_VARIABLES:
        os.environ[name] = scratch
    tempfile.tempdir = None  # forget what was found for the zygote
    sys.dont_write_bytecode = True
    os.chdir(scratch)
    for folder in (config["build"], config["auxiliary"]):
        if folder:
            shutil.copytree(folder, scratch, dirs_exist_ok=True)
    torch.set_num_threads(config["threads"])
    sys.stdout.reconfigure(line_buffering=True)  # a player is killed, and what it printed must be there
    serve(Channel(control_fd), Player(config, report))


def _enter_plainly(config, control_fd, log_fd):
    """Without the jail: its own session, descriptors and limits, nothing more."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)
    os.dup2(control_fd, 3)
    os.closerange(4, 4096)
    limit = config["memory_bytes"]
    if config["device"] == "cpu":  # the driver of a GPU reserves more addresses than any machine has memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return 3


def serve(channel, player):
    player.channel = channel
    while True:
        try:
            request, fds = channel.receive()
        except ChannelClosed:
            return
        try:
            method = getattr(player, "op_" + request["op"])
            reply = method(request, fds) if fds else method(request)
            channel.send({"ok": True, **reply})
        except LoadFailure as failure:
            channel.send({"ok": False, "kind": failure.stage, "message": str(failure), "types": failure.kinds})
        except Exception as error:
            channel.send({"ok": False, "kind": "exception", "message": traceback.format_exc()[-64000:],
                          "types": kinds_of(error)})
