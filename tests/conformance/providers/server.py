"""A server that answers as it is told to, byte by byte, and remembers what it was asked.

The path of a request begins with /s/NAME: it is answered by the script of that name, one Answer per request (the last
one again and again).
"""

import json
import socket
import socketserver
import ssl
import struct
import threading
import time
import zlib
from dataclasses import dataclass, field

CUT = "cut"  # the connection is reset
HANG = "hang"  # nothing more comes, and the connection stays open


@dataclass
class Answer:
    steps: list = field(default_factory=list)  # bytes, seconds to wait (float), CUT or HANG
    status: int = 200
    headers: dict = field(default_factory=dict)
    framing: str = "chunked"  # or "length", "close"; "raw": the steps are the whole response
    gzip: bool = False
    before: bytes = b""  # interim responses


@dataclass
class Request:
    method: str
    path: str
    headers: dict
    raw: bytes

    @property
    def json(self):
        return json.loads(self.raw)


class Script:
    """What one name answers, and what it was asked. A function of the request may stand for the list of answers."""

    def __init__(self, answers):
        self.answers = answers
        self.requests = []
        self.seconds = []  # from the first line of a request to the last byte of its answer
        self.lock = threading.Lock()

    def take(self, request):
        with self.lock:
            number = len(self.requests)
            self.requests.append(request)
        if callable(self.answers):
            return self.answers(request, number)
        return self.answers[min(number, len(self.answers) - 1)]


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        if self.request.family != socket.AF_UNIX:
            self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.request.makefile("rb")
        try:
            while self.one():
                pass
        except (ConnectionError, BrokenPipeError, ssl.SSLError, ValueError, OSError):
            pass

    def one(self):
        line = self.file.readline().decode("latin-1").split()
        started = time.perf_counter()
        if len(line) < 3:
            return False
        headers = {}
        while (header := self.file.readline().strip()) != b"":
            name, _, value = header.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self.file.read(int(headers.get("content-length", 0)))
        parts = line[1].split("/")
        script = self.server.scripts.get(parts[2] if len(parts) > 2 else "")
        if script is None:
            self.send(Answer([b"no script"], status=500, framing="length"))
            return True
        reusable = self.send(script.take(Request(line[0], line[1], headers, body)))
        script.seconds.append(time.perf_counter() - started)
        return reusable

    def send(self, answer):
        """Whether the connection can be used again."""
        out = self.request
        if answer.framing == "raw":
            return self.steps(answer, lambda data: out.sendall(data)) and False
        head = [f"HTTP/1.1 {answer.status} Scripted"]
        headers = {"content-type": "text/event-stream", **answer.headers}
        pack = zlib.compressobj(wbits=31) if answer.gzip else None
        if pack:
            headers["content-encoding"] = "gzip"
        if answer.framing == "length":
            body = b"".join(step for step in answer.steps if isinstance(step, bytes))
            if pack:
                body = pack.compress(body) + pack.flush()
            headers["content-length"] = len(body)
            answer = Answer([body] + [step for step in answer.steps if step in (CUT, HANG)])
            write = out.sendall
        elif answer.framing == "close":
            headers["connection"] = "close"
            write = out.sendall
        else:
            headers["transfer-encoding"] = "chunked"

            def write(data):
                if pack:
                    data = pack.compress(data) + pack.flush(zlib.Z_SYNC_FLUSH)
                if data:
                    out.sendall(b"%x\r\n%s\r\n" % (len(data), data))
        head += [f"{name}: {value}" for name, value in headers.items()]
        if answer.steps and isinstance(answer.steps[0], float):
            time.sleep(answer.steps[0])
            answer = Answer(answer.steps[1:])
        out.sendall(answer.before + ("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        if not self.steps(answer, write):
            return False
        if "transfer-encoding" in headers:
            if pack and (rest := pack.flush()):
                out.sendall(b"%x\r\n%s\r\n" % (len(rest), rest))
            out.sendall(b"0\r\n\r\n")
        return "connection" not in headers

    def steps(self, answer, write):
        for step in answer.steps:
            if isinstance(step, bytes):
                write(step)
            elif isinstance(step, float):
                time.sleep(step)
            elif step == HANG:
                self.server.stopping.wait(60)
                return False
            else:
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return False
        return True


class _Threads(socketserver.ThreadingMixIn):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass


class _Tcp(_Threads, socketserver.TCPServer):
    pass


class _Unix(_Threads, socketserver.UnixStreamServer):
    pass


class Server:
    def __init__(self, unix=None, certificate=None):
        self.server = _Unix(unix, Handler) if unix else _Tcp(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.server.scripts = {}
        self.server.stopping = threading.Event()
        scheme = "https" if certificate else "http"
        self.url = "http://localhost" if unix else f"{scheme}://localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def play(self, name, answers):
        """The address for a client, and the script."""
        script = self.server.scripts[name] = Script(answers)
        return f"{self.url}/s/{name}/v1", script

    def stop(self):
        self.server.stopping.set()
        self.server.shutdown()
        self.server.server_close()
