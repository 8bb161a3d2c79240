"""Entry point of the Python processes of the arena: worker.py nursery FD. The nursery forks the others."""

import os
import socket
import sys
import traceback

# Run by path, so that nothing needs to be installed; the package's parent replaces this folder in the path. The real
# one: a jail has no links that lead there. Processes that a candidate spawns load this file too, with its own path.
if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

from kforge_arena.channel import Channel, ChannelClosed  # noqa: E402


def serve(channel, handlers):
    """Answers requests until the other end closes. A method op_NAME answers {"op": NAME}."""
    handlers.channel = channel
    while True:
        try:
            request, fds = channel.receive()
        except ChannelClosed:
            return
        try:
            method = getattr(handlers, "op_" + request["op"])
            reply = method(request, fds) if fds else method(request)
            reply, out_fds = reply if isinstance(reply, tuple) else (reply, [])
            channel.send({"ok": True, **reply}, out_fds)
        except Exception as error:  # reported to the parent, which decides whose fault it is
            kind = type(error).__name__
            detail = "" if kind in ("ProblemError", "RenderError") else traceback.format_exc()
            channel.send({"ok": False, "kind": kind, "message": str(error), "detail": detail[-8000:]})


def referee(fd):
    from kforge_arena.referee import Referee
    serve(Channel(fd), Referee())


def baseline(fd):
    from kforge_arena.baseline import Baseline
    serve(Channel(fd), Baseline())


def echo(fd):
    """Answers anything at once: nothing that is asked over a channel is answered sooner."""
    channel, answer = socket.socket(fileno=fd), Channel.frame({"ok": True, "outputs": []})
    while channel.recv(4096):
        channel.sendall(answer)


def device_echo(fd):
    """The same for calls on a GPU: says that it is ready, and answers the start, for which it waits without falling asleep."""
    channel, answer = socket.socket(fileno=fd), Channel.frame({"ok": True, "outputs": []})
    while channel.recv(4096):
        channel.sendall(answer)
        while True:
            try:
                channel.recv(4096, socket.MSG_DONTWAIT)
                break
            except BlockingIOError:
                pass
        channel.sendall(answer)


def zygote(fd):
    from kforge_arena.zygote import Zygote
    Zygote(Channel(fd)).run()


def nursery(fd):
    from kforge_arena.nursery import Nursery
    Nursery(Channel(fd), {"referee": referee, "baseline": baseline, "echo": echo, "device_echo": device_echo, "zygote": zygote}).run()


def main():
    role, fd = sys.argv[1], int(sys.argv[2])
    os.set_inheritable(fd, False)
    if role != "nursery":
        sys.exit(f"unknown role {role}")
    nursery(fd)


if __name__ == "__main__":
    main()
