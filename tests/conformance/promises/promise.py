"""What the tests of promises share: problems, pieces of candidates, and the questions most of them ask."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from kforge_session import FOLDER, Kforge

USUAL = ["--baselines", "eager", "--timing-budget-s", "0.2"]
TINY_NORM = FOLDER / "problems" / "tiny_norm.py"
WATCHED = FOLDER / "promises" / "problems" / "watched.py"
WATCHED_OPTIONS = [*USUAL, "--call-limit-s", "120"]  # a call may last as long as somebody looks at it


class Skip(Exception):
    """This machine does not keep the promise, and KForge says so."""


@dataclass
class World:
    kforge: Kforge
    library: str
    python: str
    folder: Path
    seen: dict = field(default_factory=dict)  # what a watcher found

    @property
    def temporary(self):
        """KForge's own folder for temporary files: out of sight for every player."""
        path = self.folder / "temporary"
        path.mkdir(exist_ok=True)
        return path

    def log(self):
        """What problems/watched.py wrote down so far."""
        path = self.temporary / "watched.jsonl"
        lines = path.read_text().split("\n")[:-1] if path.exists() else []  # the last one may not be whole yet
        return [json.loads(line) for line in lines]


def tiny_norm(body, before=""):
    """A candidate for tiny_norm: `body` of forward, where `right(x)` is what is wanted, after the lines `before`."""
    indented = "".join(f"        {line}\n" for line in body.strip().split("\n"))
    return f'''import torch
import torch.nn as nn
import torch.nn.functional as F

{before.strip()}


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.calls = 0

    def right(self, x):
        return F.gelu(self.norm(x))

    def forward(self, x):
        self.calls += 1
        right = self.right
{indented}'''


# The other end of the channel, for candidates that speak out of turn.
SAY = '''
import json
import os
import stat
import struct

SOCKETS = [int(n) for n in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{n}")
           and stat.S_ISSOCK(os.stat(int(n)).st_mode)]


def say(data, length=None):
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    for descriptor in SOCKETS:
        os.write(descriptor, struct.pack("<I", len(data) if length is None else length) + data)
'''


def verdict(result):
    return " ".join(filter(None, (result["state"], result["reason"])))


def expect(found, name, *wanted):
    """The verdict on a candidate is one of these; all but `correct` come with evidence."""
    result = found[name]
    got = verdict(result)
    assert got in wanted, f"{name}: expected {' | '.join(wanted)}, got {got}\n    {result['evidence'][:600]}"
    assert result["evidence"].strip(), f"{name}: {got} without evidence"


def expect_failure(found, name):
    result = found[name]
    assert result["state"] in ("disqualified", "mismatch", "runtime_error"), f"{name}: got {verdict(result)}"
    assert result["reason"] and result["evidence"].strip(), f"{name}: {verdict(result)} without a reason or evidence"
    assert result["speedup"] is None, f"{name}: {verdict(result)} with a speedup"


def samples(result, side="candidate"):
    return result["timings"]["series"][side]["samples_ms"]
