"""What does not depend on a dialect: sockets, certificates, proxies, interrupts, limits, and a soak."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time

from dialects import DIALECTS
from probing import PLANTED, Probe, entry
from real import Skip
from server import HANG, Answer, Server

CHAT = next(dialect for dialect in DIALECTS if dialect.name == "openai-chat")
GOOD = Answer(CHAT.stream(["Hello ", "there."]))


def true(condition, message):
    if not condition:
        raise AssertionError(str(message))


def ask(probe, base_url, **settings):
    return probe.ask({"toml": entry(CHAT.name, base_url, **settings), "llm": "x"})


def said_hello(got):
    true(got["kind"] == "answer" and got["text"] == "Hello there.", got)


def unix_sockets(suite):
    path = suite.folder / "llm.sock"
    server = Server(unix=str(path))
    url, _ = server.play("u", [GOOD])
    try:
        with Probe(suite.options.probe, suite.folder) as probe:
            said_hello(ask(probe, url, socket=str(path)))
            got = probe.ask({"llm": f"openai-chat:some-id@unix:{path}"})
            true(got["kind"] == "network" and "no script" in got["message"], f"it reached the socket: {got}")
    finally:
        server.stop()


def certificate(suite):
    """A key and a certificate for localhost, signed by nobody."""
    if not shutil.which("openssl"):
        raise Skip("no openssl to make a certificate with")
    secret = suite.folder / "secret"
    secret.mkdir(exist_ok=True)
    key, good = secret / "key.pem", secret / "cert.pem"
    if good.exists():
        return key, good
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", good, "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    return key, good


def certificates_are_verified(suite):
    key, good = certificate(suite)
    server = Server(certificate=(good, key))
    url, script = server.play("tls", [GOOD])
    try:
        with Probe(suite.options.probe, suite.folder) as probe:
            got = ask(probe, url)
            true(got["kind"] == "error" and "certificate is not trusted" in got["message"], got)
            got = ask(probe, url.replace("localhost", "127.0.0.1"), ca_file=str(good))
            true(got["kind"] == "error" and "certificate is not trusted" in got["message"], "another name's certificate")
            true(not script.requests, "no request was sent")
            said_hello(ask(probe, url, ca_file=str(good)))
        with Probe(suite.options.probe, suite.folder, KFORGE_CA_BUNDLE=str(good)) as probe:
            said_hello(ask(probe, url))
    finally:
        server.stop()


HIDE = """for place in /etc/ssl /etc/pki /var/lib/ca-certificates; do
    [ ! -d "$place" ] || mount -t tmpfs none "$place" || exit 99
done
exec "$@"
"""


def kforge(suite, *words, environment=(), hide=False):
    """The program itself, with the planted key; `hide`: where the system's certificates cannot be seen."""
    env = {name: value for name, value in os.environ.items() if name not in ("SSL_CERT_FILE", "CURL_CA_BUNDLE")}
    env.update({"PROBE_KEY": PLANTED, "XDG_CACHE_HOME": str(suite.folder / "cache"), **dict(environment)})
    before = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", HIDE, "sh"] if hide else []
    if hide and subprocess.run([*before, "true"], capture_output=True).returncode != 0:
        raise Skip("no mount namespaces here")
    return subprocess.run([*before, suite.options.kforge, *words], env=env, cwd=suite.folder, capture_output=True, text=True)


def entry_file(suite, url):
    path = suite.folder / "machine.toml"
    path.write_text(entry(CHAT.name, url))
    return ["--config", str(path)]


def certifi_of_the_users_python_is_the_last_resort(suite):
    key, good = certificate(suite)
    server = Server(certificate=(good, key))
    url, script = server.play("certifi", [GOOD])
    ask_x = ["llms", "check", "x", *entry_file(suite, url)]
    venv = suite.folder / "venv"
    subprocess.run([suite.options.python, "-m", "venv", "--without-pip", venv], check=True)
    python = {"KFORGE_PYTHON": str(venv / "bin" / "python")}
    try:
        got = kforge(suite, *ask_x, environment=python, hide=True)
        true(got.returncode == 3 and got.stderr.count("no file of trusted certificates") == 1, got)
        true("ca-certificates" in got.stderr and "certifi" in got.stderr and not script.requests, got.stderr)
        module = next(venv.glob("lib/python*/site-packages")) / "certifi"
        module.mkdir()
        (module / "__init__.py").write_text(f"def where(): return {str(good)!r}\n")
        got = kforge(suite, *ask_x, environment=python, hide=True)
        true(got.returncode == 0 and len(script.requests) == 1, got)
        got = kforge(suite, *ask_x, environment={**python, "SSL_CERT_FILE": str(good)}, hide=True)
        true(got.returncode == 0, got)
    finally:
        server.stop()


def without_libcurl_only_servers_cannot_be_asked(suite):
    """A file that is no library stands in front of the real ones."""
    broken = suite.folder / "broken-libraries"
    broken.mkdir()
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        (broken / name).write_text("no library\n" * 100)
    environment = {"LD_LIBRARY_PATH": str(broken)}
    url, script = suite.server.play("no-curl", [GOOD])
    got = kforge(suite, "llms", "check", "x", *entry_file(suite, url), environment=environment)
    true(got.returncode == 3 and not script.requests, got)
    true("libcurl" in got.stderr and "apt-get install libcurl4" in got.stderr, got.stderr)
    got = kforge(suite, "llms", environment=environment)
    true(got.returncode == 0 and "claude" in got.stdout, got)
    got = kforge(suite, "doctor", "--python", suite.options.python, "--json", environment=environment)
    http = [check for check in json.loads(got.stdout)["checks"] if check["name"] == "HTTP"]
    true(len(http) == 1 and http[0]["health"] == "weak" and "libcurl4" in http[0]["mend"], got.stdout)


def proxies_are_used_as_the_variables_say(suite):
    """The scripted server plays a proxy: it is sent whole addresses."""
    _, script = suite.server.play("llm.example", [GOOD])
    with Probe(suite.options.probe, suite.folder, http_proxy=suite.server.url, no_proxy="") as probe:
        said_hello(ask(probe, "http://llm.example/v1", allow_plain_http=True))
    true(script.requests[0].path == "http://llm.example/v1/chat/completions", script.requests[0].path)


def an_interrupt_ends_a_call_at_once(suite):
    url, script = suite.server.play("interrupt", [Answer([CHAT.stream(["Hm"])[0], HANG])])
    with Probe(suite.options.probe, suite.folder) as probe:
        probe.send({"toml": entry(CHAT.name, url, timeout_s=60), "llm": "x"})
        wait_for(lambda: script.requests)
        time.sleep(0.2)
        probe.process.send_signal(signal.SIGINT)
        started = time.monotonic()
        got = probe.receive()
        true(got["kind"] == "error" and got["message"] == "interrupted", got)
        true(time.monotonic() - started < 5, "at once")


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        true(time.monotonic() < end, "nothing happened")
        time.sleep(0.01)


class Door:
    """Lets only so many in at a time and turns the others away."""

    def __init__(self, width):
        self.width, self.inside, self.turned_away, self.lock = width, 0, 0, threading.Lock()

    def play(self, request, number):
        with self.lock:
            if self.inside >= self.width:
                self.turned_away += 1
                return Answer([b'{"error": {"message": "Too fast.", "code": "rate_limit_exceeded"}}'], status=429,
                              framing="length", headers={"retry-after-ms": "50"})
            self.inside += 1
        time.sleep(0.02)
        with self.lock:
            self.inside -= 1
        return GOOD


def many_calls_do_not_storm_a_busy_server(suite):
    door = Door(width=4)
    url, script = suite.server.play("door", door.play)
    with Probe(suite.options.probe, suite.folder) as probe:
        got = probe.ask({"toml": entry(CHAT.name, url, timeout_s=60), "llm": "x", "count": 120, "parallel": 40})
    true(got["kinds"] == {"answer": 120}, (got["kinds"], got["complaint"]))
    # 36 of the first 40 are turned away before anyone knows better. Whoever asked again each time 50 ms had passed
    # would be turned away many hundred times.
    true(door.turned_away < 150, f"turned away {door.turned_away} times")


def limits_told_by_headers_are_kept(suite):
    """Nothing left until the reset: the second call waits for it instead of being turned away."""
    times = []

    def play(request, number):
        times.append(time.monotonic())
        return Answer(GOOD.steps, headers={"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "600ms"})

    url, _ = suite.server.play("headers", play)
    with Probe(suite.options.probe, suite.folder) as probe:
        for _ in range(3):
            said_hello(ask(probe, url))
    true(all(later - earlier >= 0.55 for earlier, later in zip(times, times[1:])), times)


def a_soak_leaks_nothing(suite):
    """2,000 calls, 50 at a time, one in 50 broken in the middle: all answered, nothing left open, every cent counted."""
    cut = Answer([*CHAT.stream(["Hello "])[:2], "cut"])

    def play(request, number):
        if number < 100:
            time.sleep(0.3)  # so that fifty are really under way together, with a connection each
        return cut if number % 50 == 49 else GOOD

    url, script = suite.server.play("soak", play)
    order = {"toml": entry(CHAT.name, url, timeout_s=120), "llm": "x", "count": 2000, "parallel": 50}
    with Probe(suite.options.probe, suite.folder) as probe:
        first = probe.ask({**order, "count": 400})
        got = probe.ask(order)
        true(got["kinds"] == {"answer": 2000}, (got["kinds"], got["complaint"]))
        true(got["descriptors"] <= first["descriptors"] + 4, (first["descriptors"], got["descriptors"]))
        true(got["rss_kb"] <= first["rss_kb"] + 8192, (first["rss_kb"], got["rss_kb"]))
        true(got["usd"] >= 2000 * (11 * 3e-6 + 7 * 15e-6) - 1e-9, got["usd"])
    requests = len(script.requests)
    true(2400 <= requests <= 2400 + requests // 50 + 1, f"{requests} requests for 2400 answers")


TESTS = {f"machine/{function.__name__}": function for function in (
    unix_sockets, certificates_are_verified, certifi_of_the_users_python_is_the_last_resort,
    without_libcurl_only_servers_cannot_be_asked, proxies_are_used_as_the_variables_say, an_interrupt_ends_a_call_at_once,
    many_calls_do_not_storm_a_busy_server, limits_told_by_headers_are_kept, a_soak_leaks_nothing)}
