"""Stops a player in the middle of some of its calls, from within, and looks from outside through all its memory for
what the referee has in hands at that moment: seeds, results, inputs of calls to come, the problem's text."""

import glob
import hashlib
import json
import os
import re
import signal
import time

from kforge_session import SECRET_OF_THE_USER
from memory_scan import Needles
from promise import WATCHED as PROBLEM, WATCHED_OPTIONS as OPTIONS, Skip, expect

STOPS = (1, 16, 20)  # calls: at first, and when others have been timed on inputs that are still to come
NAME = "kf-stop-"
TEXT_OF_THE_PROBLEM = b"Known to the referee alone"
TEXT_OF_THE_CANDIDATE = b"Known to the player as well"

# Another one comes first: it is timed on the inputs that are to come, and its results are right to the last bit.
EARLIER = '''import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x):
        return x * self.scale
'''
# Its own results are never the reference's: what is found of those must have come from elsewhere.
CANDIDATES = {"earlier": EARLIER, "examined": f'''# {TEXT_OF_THE_CANDIDATE.decode()}
import ctypes
import glob
import hashlib
import json
import os
import signal

import torch
import torch.nn as nn

CALLS = []


def look(path):
    try:
        return os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(100).hex()
    except OSError:
        return None


def examine():
    places = ["@FOLDER@", "@FOLDER@/watched.jsonl", "@FOLDER@/../candidates", "{PROBLEM}"]
    held = [os.readlink(path) for path in glob.glob("/proc/self/fd/*") if os.path.lexists(path)]
    print(json.dumps({{"seen": {{path: look(path) for path in places}}, "held": held,
                      "names": sorted(os.environ)}}), flush=True)
    ctypes.CDLL(None).prctl(15, f"{NAME}{{len(CALLS)}}".encode(), 0, 0, 0)
    os.kill(os.getpid(), signal.SIGSTOP)
    ctypes.CDLL(None).prctl(15, b"python", 0, 0, 0)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))

    def forward(self, x):
        CALLS.append(1)
        print("call", hashlib.sha1(x.reshape(-1)[:8].numpy().tobytes()).hexdigest()[:8], flush=True)
        if len(CALLS) in {STOPS}:
            examine()
        return x * (self.scale * (1 + 2e-6))
'''}


def stopped_players():
    for path in glob.glob("/proc/[0-9]*/comm"):
        try:
            with open(path) as file:
                name = file.read().strip()
            with open(path.replace("comm", "stat")) as file:
                state = file.read().rpartition(") ")[2][0]
        except OSError:
            continue
        if name.startswith(NAME) and state == "T":
            yield int(path.split("/")[2]), int(name.removeprefix(NAME))


def examine(pid, log):
    """All that is found in one stopped player: needles, and what the referee had written down."""
    log = [entry for entry in log if entry["role"] == "referee"]
    seeds = {entry["seed"] for entry in log if "seed" in entry}
    inputs = {bytes.fromhex(entry["input"]) for entry in log if "input" in entry}
    outputs = {bytes.fromhex(entry["output"]) for entry in log if "output" in entry} - inputs
    texts = [TEXT_OF_THE_PROBLEM, TEXT_OF_THE_CANDIDATE, SECRET_OF_THE_USER.encode()]
    found, size = Needles([*inputs, *outputs], seeds, texts).found_in(pid)
    forms = {form: seed for seed in seeds for form in Needles(numbers=[seed]).data + [str(seed).encode()]}
    with open(f"/proc/{pid}/environ", "rb") as file:
        environment = file.read()
    return {"bytes": size, "inputs made": inputs, "inputs": found & inputs, "outputs made": outputs,
            "outputs": found & outputs, "seeds made": seeds, "seeds": {forms[needle] for needle in found & set(forms)},
            "texts": found & set(texts), "environment": environment}


def watch(world, ended):
    while not ended.wait(0.02):
        for pid, call in stopped_players():
            try:
                world.seen[call] = examine(pid, world.log())
                os.kill(pid, signal.SIGCONT)
            except OSError as error:  # it may not be read, or has been killed
                world.seen[call] = error
            while not ended.is_set() and any(call == other for _, other in stopped_players()):
                time.sleep(0.01)


def check(found, world):
    expect(found, "earlier", "correct")
    expect(found, "examined", "correct")
    for error in world.seen.values():
        if isinstance(error, PermissionError):
            raise Skip(f"the memory of a player cannot be looked at here: {error}")
        assert not isinstance(error, OSError), f"it was lost while it was looked at: {error}"
    assert set(world.seen) == set(STOPS), f"it was to be looked at in calls {STOPS}, not {sorted(world.seen)}"
    printed = found["examined"]["output"]
    shown = re.findall(r"^call (\w+)$", printed, re.M)
    for call, seen in world.seen.items():
        check_memory(call, seen, shown)
    for line in re.findall(r"^\{.*\}$", printed, re.M):
        check_sight(json.loads(line))
    assert len(re.findall(r"^\{.*\}$", printed, re.M)) == len(STOPS), printed


def check_memory(call, seen, shown):
    where = f"in call {call}, in {seen['bytes'] >> 20} MiB of memory,"
    allowed = set(shown[:call])

    def mark(data):
        return hashlib.sha1(data).hexdigest()[:8]

    # Otherwise nothing could have been found.
    assert any(mark(data) == shown[call - 1] for data in seen["inputs"]), f"{where} not even the inputs of the call"
    assert TEXT_OF_THE_CANDIDATE in seen["texts"], f"{where} not even the candidate's own text"
    assert len(seen["seeds made"]) >= 4 and len(seen["outputs made"]) >= 4, f"{where} nothing was to be found"
    to_come = {mark(data) for data in seen["inputs made"]} & set(shown[call:]) - allowed
    assert call == 1 or to_come, f"{where} nothing that is to come could be found: no input of it was made yet"

    early = {mark(data) for data in seen["inputs"]} - allowed
    assert not early, f"{where} {len(early)} inputs that it was not shown"
    assert not seen["outputs"], f"{where} {len(seen['outputs'])} results of the reference"
    assert not seen["seeds"], f"{where} {len(seen['seeds'])} seeds"
    assert TEXT_OF_THE_PROBLEM not in seen["texts"], f"{where} the text of the problem"
    assert SECRET_OF_THE_USER.encode() not in seen["texts"], f"{where} the user's environment"
    assert SECRET_OF_THE_USER.encode() not in seen["environment"], "the user's environment"


def check_sight(sight):
    for path, content in sight["seen"].items():
        assert not content, f"{path} can be read: {content}"
    assert "SECRET_OF_THE_USER" not in sight["names"], "the user's environment"
    held = [target for target in sight["held"] if not target.startswith(("/memfd:kforge-", "/proc/", "pipe:"))]
    held.remove("/dev/null")
    assert len(held) == 1 and held[0].startswith("socket:"), f"descriptors beyond its channel: {held}"
