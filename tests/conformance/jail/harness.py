"""Runs a function in a jailed player and brings its result back. The process of the suite is the zygote."""

import ctypes
import json
import os
import socket
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "python", "kforge_arena"))

import jail as kforge_jail  # noqa: E402  (the module alone: the package may import more)

TESTS = []
MB = 1 << 20


class Skip(Exception):
    pass


def guarantee(*needs):
    """Registers a test of promises (in the words of the report) or layers: skipped where one is not kept."""

    def register(test):
        test.needs = needs
        TESTS.append(test)
        return test

    return register


def why_not(need, report):
    """Why a promise or layer is not kept on this machine; None when it is."""
    if need in report["layers"]:
        state = report["layers"][need]
        return None if state == "ok" else f"{need} is {state}"
    return next((f"{need}: {b['why']}" for b in report["broken"] if b["promise"] == need), None)


class Played:
    def __init__(self, result, exit, report):
        self.result, self.exit, self.report = result, exit, report


class Zygote:
    def __init__(self, library):
        self.jail = kforge_jail.Jail.load(library)
        self.players = 0
        # Not below /tmp, where the player's own scratch lies.
        self.outside = tempfile.mkdtemp(dir="/var/tmp")
        self.secret = os.path.join(self.outside, "secret.txt")
        with open(self.secret, "w") as file:
            file.write("the expected output")
        os.chmod(self.outside, 0o755)  # only the jail hides it
        self.fallback = tempfile.mkdtemp(dir="/var/tmp")

    def start(self, body, **settings):
        """A Player that runs body(channel) in its jail, and our end of the channel."""
        ours, theirs = socket.socketpair()
        self.players += 1
        settings = {"uid": 200000 + self.players, "fallback_scratch": self.fallback, "descriptors": [theirs.fileno()], **settings}
        player = self.jail.fork(**settings)
        if player is not None:
            theirs.close()
            return player, ours
        code = 70
        try:
            ours.close()
            report = self.jail.enter()
            theirs.sendall(json.dumps({"report": report}).encode() + b"\n")
            result = body(theirs)
            theirs.sendall(json.dumps({"result": result}).encode() + b"\n")
            code = 0
        except BaseException:
            theirs.sendall(json.dumps({"error": traceback.format_exc()}).encode() + b"\n")
        finally:
            os._exit(code)

    def play(self, body, timeout=60, **settings):
        player, channel = self.start(lambda _: body(), **settings)
        channel.settimeout(timeout)
        answers = {}
        try:
            for line in channel.makefile("rb"):
                answers.update(json.loads(line))
        finally:
            exit = player.wait(timeout) or player.kill()
            channel.close()
        if "error" in answers:
            raise AssertionError("in the player: " + answers["error"])
        return Played(answers.get("result"), exit, answers.get("report"))


def fails(call, *arguments):
    """The name of the error that the call ends with, or what it returned: for use inside a player."""
    try:
        return f"no error: {call(*arguments)!r}"[:200]
    except OSError as error:
        import errno

        return errno.errorcode.get(error.errno, str(error.errno))
    except Exception as error:
        return type(error).__name__


def call(number, *arguments):
    """A raw system call (number: of x86_64), by the name of its error."""
    libc = ctypes.CDLL(None, use_errno=True)
    return fails(_call, libc, number, *arguments)


def _call(libc, number, *arguments):
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), "system call")
    return result


def numbers(**by_machine):
    return by_machine[os.uname().machine]


def descendants_named(marker):
    """Processes of the whole machine whose command name is `marker`."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as file:
                if file.read().strip() == marker:
                    found.append(int(pid))
        except OSError:
            pass
    return found


def set_name(name):
    import ctypes

    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
