"""One session of the real program for the conformance tests: many candidates of one problem, judged by one
`kforge eval` with warm processes."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LIMIT_S = 600
SECRET_OF_THE_USER = "swordfish"  # in the environment of every session: no candidate may come to know it


class Kforge:
    def __init__(self, program, python=""):
        self.program = program
        self.python = python

    def call(self, arguments, folder, environment=()):
        """The finished process, with its output as text. Raises TimeoutExpired."""
        argv = [self.program, *map(str, arguments)]
        if self.python:
            argv += ["--python", self.python]
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder), "SECRET_OF_THE_USER": SECRET_OF_THE_USER,
                       **dict(environment)}
        return subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S)

    def evaluate(self, candidates, problem, options, environment=()):
        """(one result for each candidate, "") or (None, what kforge left instead)."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["eval", *candidates, "--json", "--quiet", "--problem", problem, *options]
            try:
                done = self.call(arguments, folder, environment)
            except subprocess.TimeoutExpired:
                return None, f"no end within {LIMIT_S} s"
        try:
            reply = json.loads(done.stdout)
            results = reply.get("results", [reply])
            if [Path(result["candidate"]) for result in results] == list(candidates):
                return results, ""
        except (json.JSONDecodeError, AttributeError, KeyError):
            pass
        return None, f"kforge ended with {done.returncode}: {(done.stderr + done.stdout).strip()[-2000:]}"
