"""The baseline becomes slower while many candidates that do the same as it did are judged: none of them wins by that,
and the last ones are told why."""

from promise import FOLDER, USUAL, Skip, expect

PROBLEM = FOLDER / "promises" / "problems" / "tiring.py"
OPTIONS = USUAL
CANDIDATE = '''
import torch.nn as nn


class NewModel(nn.Module):
    number = %d

    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return self.norm(x)
'''
# Each takes the baseline a dozen calls or more: by the last one it is slow.
CANDIDATES = {f"copy {number}": CANDIDATE % number for number in range(20)}


def check(found, world):
    for name in found:
        expect(found, name, "correct")
    last = found[f"copy {len(found) - 1}"]
    series = {side: values["median_ms"] for side, values in last["timings"]["series"].items()}
    if series["eager"] < 3 * found["copy 0"]["timings"]["series"]["eager"]["median_ms"]:
        raise Skip("the reference was not called often enough to become slow after the first candidate")
    assert any("as long as before in this session" in note for note in last["timings"]["notes"]), last["timings"]["notes"]
    for name, result in found.items():
        assert result["claim"] != "faster" or not any("as long as before" in note for note in result["timings"]["notes"]), name
    inflated = series["eager"] / series["candidate"]
    assert last["speedup"]["value"] < inflated / 2, f"{last['speedup']} over a baseline that had become slow ({inflated:.1f}x)"
