"""Stands in for the arena's Python side, without PyTorch: `worker.py ROLE FD`, the same messages, no work.

The candidate is JSON that tells its player how to answer: {"publish": REPLY} where REPLY is an object to send, a text
to send as it is, a number to exit with, or null for silence. What is not named is answered well. Where a reply's
outputs have the address "real", it is that of eight new bytes; "again" is the one of the first call. {"work": MS}: for so
long a call of forward executes machine code of the player's own. The problem is JSON too: replies of the trusted side
that differ from the usual.
"""

import array
import ctypes
import json
import mmap
import os
import signal
import socket
import struct
import sys
import time

GOOD_REPLIES = {
    # The referee's
    "load": {"sizes": [4096] * 3, "output_sizes": [8], "threads": 1, "facts": {"inputs": [], "outputs": [], "parameters": []}},
    "vet": {"state": "ok", "reason": "", "evidence": ""},
    "weights": {"spec": {"u": []}},
    "case": {"applicable": True, "spec": {"u": []}, "bytes": 0},
    "unusual": {"applicable": True, "spec": {"u": []}, "bytes": 0},
    "fill": {"spec": {"u": []}, "bytes": 0},
    "unchanged": {"changed": ""},
    "compare": {"outcome": "pass", "evidence": "", "stable": True,
                "errors": [{"error": 1e-8, "eager_error": 1e-8, "half_error": 0.0, "epsilon": 1e-7}]},
    # The baseline's
    "prepare": {"ready": True},
}
PLAYERS_REPLIES = {
    "load": {"class": "NewModel"},
    "go": {"outputs": [["float32", [2], [1], "real"]]},
    "profile": {"table": ""},
}


def receive(channel):
    header, ancillary, _, _ = channel.recvmsg(4, socket.CMSG_SPACE(8 * 4))
    if len(header) < 4:
        os._exit(0)
    fds = array.array("i")
    for _, _, payload in ancillary:
        fds.frombytes(payload)
    (length,) = struct.unpack("<I", header)
    text = b""
    while len(text) < length:
        text += channel.recv(length - len(text))
    return json.loads(text), list(fds)


def send(channel, reply, fds=()):
    text = (reply if isinstance(reply, str) else json.dumps(reply)).encode()
    channel.sendmsg([struct.pack("<I", len(text))], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))])
    channel.sendall(text)


def with_places(reply, kept):
    """Outputs of one call never lie where those of another did: all are kept."""
    for output in reply.get("outputs", []):
        if isinstance(output, list) and output and output[-1] in ("real", "again"):
            if output[-1] == "real" or not kept:
                kept.append(ctypes.create_string_buffer(8))
            output[-1] = ctypes.addressof(kept[0 if output[-1] == "again" else -1])
    return reply


def work(milliseconds):
    """Counts down in memory that is filled with code here: x86-64's `dec rdi; jnz -5; ret`."""
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("48ffcf75fbc3"))
    count_down = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    end = time.monotonic() + milliseconds / 1000
    while time.monotonic() < end:
        count_down(100_000)


def play(control_fd, log_fd):
    os.setsid()
    os.dup2(log_fd, 1)
    os.dup2(log_fd, 2)
    channel = socket.socket(fileno=control_fd)
    script, kept = {}, []
    while True:
        request, _ = receive(channel)
        if request["op"] == "load":
            script = json.loads(request["source"])
            print(script.get("print", ""), end="", flush=True)
        if request["op"] == "go" and script.get("work"):
            work(script["work"])
        # A copy: places are filled in.
        reply = json.loads(json.dumps(script.get(request["op"], {"ok": True, **PLAYERS_REPLIES.get(request["op"], {})})))
        if reply is None:
            signal.pause()
        if isinstance(reply, int):
            os._exit(reply)
        if isinstance(reply, dict) and "times" in reply:  # a text too long to write into a test
            reply = reply["before"] + reply["times"] * reply["count"] + reply["after"]
        send(channel, with_places(reply, kept) if isinstance(reply, dict) and isinstance(
            reply.get("outputs", []), list) else reply)


unended = {}  # of players: how often their end is still to come


def zygote(request, fds):
    if request["op"] == "preload":
        return {}
    if request["op"] == "spawn":
        pid = os.fork()
        if pid == 0:
            try:
                play(*fds)
            finally:
                os._exit(70)
        for fd in fds:
            os.close(fd)
        mode = request.get("mode", "").partition("ends when it was asked for more often than ")
        unended[pid] = int(mode[2] or 0)
        return {"pid": pid}
    unended[request["pid"]] -= 1
    if unended[request["pid"]] >= 0:
        return {"ended": False}
    _, status = os.waitpid(request["pid"], 0)
    code = 0 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {"ended": True, "code": code, "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}


def nursery(channel):
    """Forks the others; returns in each of them, with its role and channel."""
    while True:
        request, fds = receive(channel)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            channel.close()
            os.dup2(fds[1], 1)
            os.dup2(fds[1], 2)
            os.close(fds[1])
            return request["role"], socket.socket(fileno=fds[0])
        for fd in fds:
            os.close(fd)
        send(channel, {"ok": True, "pid": pid})


def main():
    role, channel = sys.argv[1], socket.socket(fileno=int(sys.argv[2]))
    if role == "nursery":
        role, channel = nursery(channel)
    replies = dict(GOOD_REPLIES)
    while True:
        request, fds = receive(channel)
        if request["op"] == "load" and "path" in request:  # the problem is JSON with other replies, or empty
            with open(request["path"], encoding="utf-8") as file:
                replies.update(json.loads(file.read() or "{}"))
        if request["op"] == "reply":  # what a test of the worker itself asks for
            send(channel, request["reply"])
        elif request["op"] == "end":
            sys.exit(request["words"])
        elif request["op"] == "hang":
            signal.pause()
        elif role == "zygote":
            send(channel, {"ok": True, **zygote(request, fds)})
        else:
            if request.get("side") == "eager":
                time.sleep(0.001)  # a call that takes longer than the conversation about it
            reply = dict(replies.get(request["op"], {}))
            buffers = [os.memfd_create("buffer") for _ in (*reply["sizes"], 0)] if "sizes" in reply else []
            for buffer in buffers:
                os.ftruncate(buffer, 4096)
            send(channel, {"ok": True, **reply}, buffers)


if __name__ == "__main__":
    main()
