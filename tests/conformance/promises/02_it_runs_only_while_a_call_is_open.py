"""A thread and a child process note when they run. The referee notes when it makes inputs, which is never
during a call: at these times nothing of the player may have run."""

import json
import re

from promise import WATCHED as PROBLEM, WATCHED_OPTIONS as OPTIONS, expect

FIRST = True  # so that inputs are made between its calls
LEAST = 8  # times of standing still that must have been seen

CANDIDATES = {"restless": '''
import json
import mmap
import os
import threading
import time

import torch
import torch.nn as nn

GAP_NS = 10_000_000


class Ticks:
    """Spells of running: the first and the last tick of each, in memory that a child shares."""

    def __init__(self):
        self.cells = memoryview(mmap.mmap(-1, 1 << 16)).cast("q")
        self.told = 0

    def tick(self, *_):
        now, count = time.monotonic_ns(), self.cells[0]
        if count == 0 or now - self.cells[2 * count] > GAP_NS:
            count = min(count + 1, 4000)
            self.cells[2 * count - 1] = now
            self.cells[0] = count
        self.cells[2 * count] = now

    def forever(self):
        while True:
            self.tick()
            time.sleep(0.0005)

    def over(self):
        """Spells that have ended and were not told before."""
        first, self.told = self.told, max(self.told, self.cells[0] - 1)
        return [(self.cells[2 * i - 1] // 1000, self.cells[2 * i] // 1000) for i in range(first + 1, self.told + 1)]


thread, child = Ticks(), Ticks()
ROOM = [6500]


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(features))
        if not hasattr(Ticks, "started"):
            Ticks.started = True
            threading.Thread(target=thread.forever, daemon=True).start()
            if os.fork() == 0:
                child.forever()

    def forward(self, x):
        line = json.dumps([ticks.over() for ticks in (thread, child)], separators=(",", ":"))
        if len(line) > 12 and len(line) < ROOM[0]:
            ROOM[0] -= len(line)
            print("ran", line, flush=True)
        return x * self.scale
'''}


def check(found, world):
    expect(found, "restless", "correct")
    busy = [(start // 1000, end // 1000) for entry in world.log() if entry["role"] == "referee" and "busy" in entry
            for start, end in [entry["busy"]]]
    spells = {"a thread": [], "a child process": []}
    for line in re.findall(r"^ran (.*)$", found["restless"]["output"], re.M):
        for known, more in zip(spells.values(), json.loads(line)):
            known += more
    for who, ran in spells.items():
        assert ran, f"{who} never ran: nothing can be told"
        during = [pause for pause in busy if pause[0] > ran[0][0] and pause[1] < ran[-1][1]]
        assert len(during) >= LEAST, f"{who} lived through {len(during)} times between calls only: too few"
        for start, end in during:
            for first, last in ran:
                overlap = min(end, last) - max(start, first)
                assert overlap < 0, f"{who} ran for {overlap / 1000:.1f} ms between two calls"
