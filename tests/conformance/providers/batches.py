"""Batch APIs: requests that wait together go in one batch, a run suspends and finds its answers, what failed is asked
singly, and a second look costs nothing."""

import json
import os
import re
import subprocess
import threading

from dialects import DIALECTS
from probing import PLANTED, Probe, entry
from server import Answer
from faults import whole

COUNT, LOST, FAILED = 12, 5, 7  # of the requests, by number: one is missing from the results, one has failed


def same(got, wanted, message=""):
    if got != wanted:
        raise AssertionError(f"{message}: got {got!r}, wanted {wanted!r}")


class Desk:
    """The part of both batch APIs that a client sees."""

    def __init__(self, dialect):
        self.d, self.items, self.batches, self.singles, self.done = dialect, [], 0, 0, False
        self.lock = threading.Lock()

    def play(self, request, number):
        with self.lock:
            path = "/" + "/".join(request.path.split("/")[3:])
            return getattr(self, "anthropic" if self.d.name == "anthropic" else "openai")(request.method, path, request)

    def anthropic(self, method, path, request):
        if (method, path) == ("POST", "/v1/messages/batches"):
            self.items = [(item["custom_id"], item["params"]) for item in request.json["requests"]]
            if refusal := self.refusal():
                return refusal
            self.batches += 1
            return whole({"id": f"msgbatch_{self.batches}", "processing_status": "in_progress"})
        if path == f"/v1/messages/batches/msgbatch_{self.batches}":
            return whole({"id": f"msgbatch_{self.batches}", "processing_status": "ended" if self.done else "in_progress",
                          "results_url": "http://elsewhere.example/results"})
        if path == f"/v1/messages/batches/msgbatch_{self.batches}/results":
            return self.lines(lambda name, body: {"custom_id": name, "result": {"type": "succeeded", "message": body}},
                              lambda name: {"custom_id": name, "result": {"type": "expired"}},
                              lambda name, error: {"custom_id": name, "result": {"type": "errored", "error": error}})
        return self.single(path, request)

    def openai(self, method, path, request):
        if (method, path) == ("POST", "/v1/files"):
            same(request.headers["content-type"].split(";")[0], "multipart/form-data")
            same(re.search(rb'name="purpose"\r\n\r\n(\w+)', request.raw)[1], b"batch")
            lines = [json.loads(line) for line in re.findall(rb"^\{.*\}$", request.raw.replace(b"\r\n", b"\n"), re.M)]
            self.items = [(line["custom_id"], line["body"]) for line in lines]
            self.endpoint = {line["url"] for line in lines}
            return whole({"id": "file-in"})
        if (method, path) == ("POST", "/v1/batches"):
            same({request.json["endpoint"]}, self.endpoint)
            same(request.json["input_file_id"], "file-in")
            if refusal := self.refusal():
                return refusal
            self.batches += 1
            return whole({"id": f"batch_{self.batches}", "status": "validating"})
        if path == f"/v1/batches/batch_{self.batches}":
            return whole({"id": f"batch_{self.batches}", "status": "completed" if self.done else "in_progress", "output_file_id": "file-out",
                          "error_file_id": None})
        if path == "/v1/files/file-out/content":
            return self.lines(lambda name, body: {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None},
                              lambda name: {"custom_id": name, "response": {"status_code": 500, "body": {}}, "error": None},
                              lambda name, error: {"custom_id": name, "response": {"status_code": 400, "body": error}, "error": None})
        return self.single(path, request)

    def refusal(self):
        """Of a whole batch, before it is taken."""

    def refused(self, body):
        """The error of one request in it."""

    def lines(self, good, bad, wrong):
        """In another order than they were asked in."""
        lines = []
        for name, body in reversed(self.items):
            number = int(name.split("-")[1])
            if error := self.refused(body):
                lines.append(wrong(name, error))
            elif number != LOST:
                lines.append(bad(name) if number == FAILED else good(name, self.answer(number)))
        return Answer(["\n".join(map(json.dumps, lines)).encode()], framing="length")

    def answer(self, number):
        return self.d.whole(f"Answer {number}.")

    def single(self, path, request):
        if path not in ("/v1/messages", "/v1/responses", "/v1/chat/completions"):
            return whole({"error": {"message": f"no {path}"}}, 404)
        self.singles += 1
        return Answer(self.d.stream(["Asked singly."]))


def check(suite, dialect):
    desk = Desk(dialect)
    url, _ = suite.server.play(f"batch-{dialect.name}", desk.play)
    run = suite.folder / f"run-{dialect.name}"
    order = {"toml": entry(dialect.name, url, batch=True), "llm": "x", "count": COUNT, "parallel": COUNT,
             "run_directory": str(run)}
    with Probe(suite.options.probe, suite.folder) as probe:
        got = probe.ask(order)
        same((got["kinds"], got["complaint"][:5]), ({"pending": COUNT}, "batch"))
    same((desk.batches, len(desk.items), desk.singles), (1, COUNT, 0), "batches, requests in it, single requests")
    same(all("stream" not in body for _, body in desk.items), True, "no streams in a batch")
    with Probe(suite.options.probe, suite.folder) as probe:  # as a resumed run
        same(probe.ask(order)["kinds"], {"pending": COUNT}, "still being worked on")
    desk.done = True
    with Probe(suite.options.probe, suite.folder) as probe:
        got = probe.ask(order)
        same(got["kinds"], {"answer": COUNT}, got["complaint"])
        same((desk.batches, desk.singles), (1, 2), "the lost and the failed one are asked singly")
        whole_price = 11 * 3e-6 + 7 * 15e-6
        same(round(got["usd"], 9), round((COUNT - 2) * whole_price / 2 + 2 * whole_price, 9), "half the price")
        single = {key: value for key, value in order.items() if key != "count"}
        one = probe.ask({**single, "request": {"iteration": 3}})
        same((one["kind"], one["text"]), ("answer", "Answer 3."), "by its name, not by its place")
    same((desk.batches, desk.singles), (1, 2), "what is answered is not asked again")


def a_sampling_run_suspends_and_resumes(suite):
    """Three samples of a real run: one batch, exit status 5, and with the answers there a verdict on each."""
    desk = Desk(DIALECTS[0])
    url, _ = suite.server.play("batch-run", desk.play)
    folder = suite.folder / "sampling"
    folder.mkdir()
    (folder / "kforge.toml").write_text(entry(desk.d.name, url, batch=True))
    env = {**os.environ, "PROBE_KEY": PLANTED, "KFORGE_PYTHON": suite.options.python, "XDG_CONFIG_HOME": str(folder)}

    def kforge(*arguments):
        done = subprocess.run([suite.options.kforge, *arguments], capture_output=True, text=True, env=env, cwd=folder, timeout=200)
        (folder / f"{arguments[0]}-{desk.done}.log").write_text(done.stdout + done.stderr)
        return done

    done = kforge("run", "starter/01_elementwise_chain", "--llm", "x", "--strategy", "sample", "--samples", "3", "--parallel", "3",
                  "--out", "run")
    same(done.returncode, 5, done.stdout + done.stderr)
    same((desk.batches, len(desk.items)), (1, 3), "batches and requests in them")
    same(kforge("resume", "run").returncode, 5, "still being worked on")
    desk.done = True
    done = kforge("resume", "run")
    same(done.returncode, 1, done.stdout + done.stderr)
    same((desk.batches, desk.singles), (1, 0), "nothing is asked twice")
    for number in (1, 2, 3):
        same((folder / f"run/iterations/{number:02}/response.md").read_text(), f"Answer {number}.")


TESTS = {f"{dialect.name}/batches": dialect for dialect in DIALECTS if dialect.name != "gemini"}
