"""A result that was never written: fresh pages are zero. Where its call takes less time than storing so many bytes
can take, that is a finding; on a machine too busy to show it the time itself is above that."""

from promise import FOLDER, USUAL, expect, verdict

PROBLEM = FOLDER / "promises" / "problems" / "zeros.py"
OPTIONS = USUAL
CANDIDATES = {"written": '''
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.full((128 << 20,), 0, dtype=torch.int8)
''', "fresh pages": '''
import mmap
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.frombuffer(mmap.mmap(-1, 128 << 20), dtype=torch.int8)
'''}
BYTES = 128 << 20
MOST_BYTES_PER_MS = 192 * 6e6  # of one processor: see most_bytes_per_ms in src/kforge/arena/processors.cpp


def check(found, world):
    expect(found, "written", "correct")
    result = found["fresh pages"]
    timings = result["timings"]
    least_ms = BYTES / (MOST_BYTES_PER_MS * timings["threads"])
    took_ms = timings["series"]["candidate"]["median_ms"]
    if took_ms < least_ms:
        expect(found, "fresh pages", "disqualified integrity")
        assert "at least" in result["evidence"] and result["speedup"] is None, result["evidence"]
    else:
        assert verdict(result) == "correct", verdict(result)
