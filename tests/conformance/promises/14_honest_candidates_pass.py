"""The honest candidates of one problem, in a session full of players that tried to cheat. The whole set, with all
problems and options, is judged by tests/conformance/candidates."""

import re

from kforge_session import FOLDER
from promise import TINY_NORM as PROBLEM, expect, tiny_norm

LEAST = 20  # in the whole set


def read_honest():
    """The text of each, by name; and how many there are in all."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "honest").glob("*.py"))}
    # With the usual problem and options, and without a compiler: that they can be built is shown elsewhere.
    plain = {name: text for name, text in texts.items()
             if not re.search(r"^# *(problem|options|slow|open)\b", text, re.M)
             and not re.search(r"g\+\+|load_inline|torch\.compile", text)}
    return plain, len(texts)


HONEST, IN_ALL = read_honest()
# Several candidates are in their players at once: one that fails early, and with other weights, is beside each.
CANDIDATES = {}
for number, (name, text) in enumerate(HONEST.items()):
    CANDIDATES[name] = text
    CANDIDATES[f"wrong {number}"] = tiny_norm(f"return right(x) + {number + 1}")


def check(found, world):
    assert IN_ALL >= LEAST, f"only {IN_ALL} honest candidates"
    assert len(HONEST) >= 5, f"only {len(HONEST)} of them are tried here"
    for name in CANDIDATES:
        expect(found, name, "correct" if name in HONEST else "mismatch values")
    for name in HONEST:
        for item in found[name]["generality"]:
            assert "was changed" not in item["detail"], f"{name}: {item['variation']}: {item['detail']}"
