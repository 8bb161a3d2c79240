"""A probe (build/kforge_probe) and what a fault may ask of it."""

import itertools
import json
import os
import subprocess
import threading

PLANTED = "sk-planted-7f3a9c1e5b2d8f60"  # grepped for in all that is written
_numbers = itertools.count()


class Probe:
    """All that it prints is kept in a file: the planted key must not be there."""

    def __init__(self, program, folder, **environment):
        # Proxies must not be asked for this machine's own servers: this one would refuse.
        env = {**os.environ, "PROBE_KEY": PLANTED, "http_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
               "XDG_CACHE_HOME": str(folder / "cache"), **environment}
        self.log = open(folder / f"probe-{next(_numbers)}.log", "wb", buffering=0)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        env=env, cwd=folder)
        self.lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.log.close()

    def send(self, order):
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        self.log.write(line)
        if not line:
            raise AssertionError(f"the probe died with {self.process.wait()}")
        return json.loads(line)

    def ask(self, order):
        with self.lock:
            self.send(order)
            return self.receive()


def entry(provider, base_url, **settings):
    """An [llms.x] table; None leaves a key out."""
    table = {"provider": provider, "id": "probe-llm", "base_url": base_url, "key_variable": "PROBE_KEY", "timeout_s": 20,
             "max_output_tokens": 1000, "usd_per_million_input": 3.0, "usd_per_million_cached_input": 0.3,
             "usd_per_million_output": 15.0, **settings}
    lines = [f"{key} = {value if key == 'stream' else json.dumps(value)}" for key, value in table.items() if value is not None]
    return "[llms.x]\n" + "\n".join(lines) + "\n"


class Case:
    def __init__(self, suite, dialect, probe, name):
        self.suite, self.d, self.probe, self.name = suite, dialect, probe, name
        self.key = PLANTED
        self.elsewhere, self.elsewhere_url = suite.elsewhere_script, suite.elsewhere_url
        self.script = None
        self.count = itertools.count()

    def ask(self, *answers, **settings):
        """One call against a fresh script that gives these answers."""
        answers = answers[0] if len(answers) == 1 and callable(answers[0]) else list(answers)
        self.url, self.script = self.suite.server.play(f"{self.name}-{next(self.count)}", answers)
        return self.again(**settings)

    def again(self, pay_again=True, request=None, base_url=None, **settings):
        toml = entry(self.d.name, base_url or self.url, **settings)
        return self.probe.ask({"toml": toml, "llm": "x", "request": request or {"system": "Be brief.", "prompt": "Write."},
                               "pay_again": pay_again})

    @staticmethod
    def true(condition, message=""):
        if not condition:
            raise AssertionError(message)

    @staticmethod
    def same(got, wanted, message=""):
        if got != wanted:
            raise AssertionError(f"{message}: got {got!r}, wanted {wanted!r}")

    @staticmethod
    def near(got, wanted):
        if abs(got - wanted) > 1e-12:
            raise AssertionError(f"got {got!r}, wanted {wanted!r}")
