"""Entry point of every Python process of the arena: worker.py ROLE FD."""

import os
import sys
import traceback

# Run by path, so that nothing needs to be installed; the package's parent replaces this folder in the path. The real
# one: a jail has no links that lead there.
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


def main():
    role, fd = sys.argv[1], int(sys.argv[2])
    os.set_inheritable(fd, False)
    channel = Channel(fd)
    if role == "referee":
        from kforge_arena import referee
        serve(channel, referee.Referee())
    elif role == "baseline":
        from kforge_arena import baseline
        serve(channel, baseline.Baseline())
    elif role == "zygote":
        from kforge_arena import zygote
        zygote.Zygote(channel).run()
    else:
        sys.exit(f"unknown role {role}")


if __name__ == "__main__":
    main()
