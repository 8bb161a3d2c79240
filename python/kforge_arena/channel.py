"""Messages between kforge and its Python processes: a length, then JSON; descriptors ride along.

Bytes and JSON only: nothing that is received here is ever unpickled or evaluated.
"""

import array
import json
import os
import socket
import struct

_HEADER = struct.Struct("<I")
_MAX_MESSAGE = 64 << 20
_MAX_FDS = 8
# Made once: json.dumps makes one each time, in every timed call.
_encode = json.JSONEncoder(allow_nan=False, ensure_ascii=False).encode


class ChannelClosed(Exception):
    pass


class Channel:
    def __init__(self, fd):
        self._socket = socket.socket(fileno=fd)

    def fileno(self):
        return self._socket.fileno()

    def send(self, message, fds=()):
        # Names of files may hold bytes that are no text: these become question marks.
        data = _encode(message).encode("utf-8", "replace")
        data = _HEADER.pack(len(data)) + data
        if fds:
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
            sent = self._socket.sendmsg([data], ancillary)
            data = data[sent:]
        if data:
            self._socket.sendall(data)

    def await_start(self):
        """Says that we are awake, and waits for the start without falling asleep: waking up takes longer than a kernel."""
        self.send({"ok": True, "ready": True})
        while True:
            try:
                self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
                break
            except BlockingIOError:
                pass
        self.receive()

    def receive(self):
        """Returns (message, descriptors). Raises ChannelClosed when the other end is gone."""
        fds = array.array("i")
        size = socket.CMSG_SPACE(_MAX_FDS * fds.itemsize)
        header, ancillary, _, _ = self._socket.recvmsg(_HEADER.size, size)
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
        header += self._exactly(_HEADER.size - len(header), bool(header))
        (length,) = _HEADER.unpack(header)
        if length > _MAX_MESSAGE:
            raise ChannelClosed(f"a message of {length} bytes is too long")
        for fd in fds:
            os.set_inheritable(fd, False)
        return json.loads(self._exactly(length, True)), list(fds)

    def _exactly(self, count, started):
        if not started:
            raise ChannelClosed("the other end closed the channel")
        chunks = []
        while count:
            chunk = self._socket.recv(min(count, 1 << 20))
            if not chunk:
                raise ChannelClosed("the channel was closed in the middle of a message")
            chunks.append(chunk)
            count -= len(chunk)
        return b"".join(chunks)
