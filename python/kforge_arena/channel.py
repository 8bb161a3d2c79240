"""Messages between kforge and its Python processes: a length, then JSON; descriptors ride along.

Bytes and JSON only: nothing that is received here is ever unpickled or evaluated.
"""

import array
import functools
import json
import os
import socket
import struct

_HEADER = struct.Struct("<I")
_MAX_MESSAGE = 64 << 20
_MAX_FDS = 8
_ROOM_FOR_FDS = socket.CMSG_SPACE(_MAX_FDS * array.array("i").itemsize)
_AT_ONCE = 1 << 20
_SMALL = 64

# A timed call is a few of these messages, in a process that has just been woken up and finds nothing in its caches: what
# is small is parsed once, and the encoder is made once (json.dumps makes one each time).
_parse_small = functools.lru_cache(maxsize=64)(json.loads)
_encoder = json.JSONEncoder(allow_nan=False, ensure_ascii=False)
_encoder_in_c = json.encoder.c_make_encoder and json.encoder.c_make_encoder(
    None, _encoder.default, json.encoder.encode_basestring, None, ":", ",", False, False, False)


def _encode(message):
    return "".join(_encoder_in_c(message, 0)) if _encoder_in_c else _encoder.encode(message)


class ChannelClosed(Exception):
    pass


class Channel:
    def __init__(self, fd):
        self._socket = socket.socket(fileno=fd)

    def fileno(self):
        return self._socket.fileno()

    def close(self):
        self._socket.close()

    @staticmethod
    def frame(message):
        # Names of files may hold bytes that are no text: these become question marks.
        data = _encode(message).encode("utf-8", "replace")
        return _HEADER.pack(len(data)) + data

    def send(self, message, fds=()):
        data = self.frame(message)
        if fds:
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))]
            sent = self._socket.sendmsg([data], ancillary)
            data = data[sent:]
        if data:
            self._socket.sendall(data)

    def await_start(self):
        """Says that we are ready, and waits for the message that starts without falling asleep: waking up takes longer than a
        kernel."""
        self.send({"ok": True, "ready": True})
        while True:
            try:
                self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
                break
            except BlockingIOError:
                pass
        return self.receive()[0]

    def receive(self):
        """Returns (message, descriptors); a small message is not to be changed. Raises ChannelClosed when the other end
        is gone."""
        header, ancillary, _, _ = self._socket.recvmsg(_HEADER.size, _ROOM_FOR_FDS)
        fds = _take_fds(ancillary) if ancillary else ()
        if not header:
            raise ChannelClosed("the other end closed the channel")
        (length,) = _HEADER.unpack(self._rest(header, _HEADER.size))
        if length > _MAX_MESSAGE:
            raise ChannelClosed(f"a message of {length} bytes is too long")
        data = self._rest(b"", length)
        return (_parse_small if length <= _SMALL else json.loads)(data), fds

    def _rest(self, data, length):
        """What has come of a part of a message, and the rest of it."""
        if not data and length:
            data = self._socket.recv(min(length, _AT_ONCE))
        if len(data) == length:
            return data
        chunks, count = [data], len(data)
        while count < length:
            chunks.append(self._socket.recv(min(length - count, _AT_ONCE)))
            count += len(chunks[-1])
            if not chunks[-1]:
                raise ChannelClosed("the channel was closed in the middle of a message")
        return b"".join(chunks)


def _take_fds(ancillary):
    fds = array.array("i")
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
    for fd in fds:
        os.set_inheritable(fd, False)
    return list(fds)
