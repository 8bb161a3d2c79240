"""One function in a process of its own, with limits: what it breaks, prints or takes is gone afterwards."""

import json
import os
import resource
import signal
import sys

_MEMORY = 8 << 30


class Failed(Exception):
    """It gave no result; the message says why."""


def forked(function, *arguments, limit_s=60):
    """What the function returns, which JSON must know. The parent has imported torch, and never computed with it: its threads
    would be missing in the child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(writer, function, arguments, limit_s)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if not text:
        died_of = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        raise Failed(f"no end within {limit_s} s" if died_of == signal.SIGALRM else f"the process ended with status {status}")
    reply = json.loads(text)
    if "why" in reply:
        raise Failed(reply["why"])
    return reply["result"]


def _answer(writer, function, arguments, limit_s):
    """Never returns."""
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.alarm(limit_s)
        try:
            reply = {"result": function(*arguments)}
        except (Exception, SystemExit) as error:
            reply = {"why": f"{type(error).__name__}: {error}".strip()[:500]}
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(json.dumps(reply).encode())
    finally:
        sys.stdout.flush()
        os._exit(0)
