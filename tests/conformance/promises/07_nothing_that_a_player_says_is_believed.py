"""One candidate for each kind of nonsense on the channel. All of them are right in the end, and none is correct."""

from promise import SAY, TINY_NORM as PROBLEM, USUAL, expect, expect_failure, tiny_norm

AFTER = "y = right(x)\n{}\nreturn y"
PLACE = '["float32", [64, 256], [256, 1], {}]'
# What forward says, before the player gives its own answer: which verdict it gets.
NONSENSE = {
    "no JSON": ("say(bytes(range(256)))", "disqualified integrity"),
    "no object": ("say([1, 2, 3])", "disqualified integrity"),
    "too long": ("say(b'', 1 << 31)", "disqualified integrity"),
    "too deep": ("say(b'[' * 100_000 + b']' * 100_000)", "disqualified integrity"),
    "no text": ("say(b'{\"ok\": true, \"outputs\": \"\\xff\\xfe\"}')", "disqualified integrity"),
    "no outputs": ("say({'ok': True, 'ns': 1})", "disqualified integrity"),
    "outputs of wrong types": ("say({'ok': True, 'outputs': [[1, 'x', {}, None]]})", "disqualified integrity"),
    "outputs without end": ("say({'ok': True, 'outputs': [" + PLACE.format(0) + "] * 5000})", "disqualified integrity"),
    "outputs of huge size": ("say({'ok': True, 'outputs': [['float32', [1 << 62, 1 << 62], [1, 1], y.data_ptr()]]})",
                             "mismatch shape"),
    "outputs of negative size": ("say({'ok': True, 'outputs': [['float32', [-64, 256], [256, 1], y.data_ptr()]]})",
                                 "mismatch shape"),
    "outputs nowhere": ("say({'ok': True, 'outputs': [" + PLACE.format(4096) + "]})", "disqualified integrity"),
    "outputs elsewhere": ("say({'ok': True, 'outputs': [" + PLACE.format("x.data_ptr()") + "]})", None),
    "its own verdict": ("say({'ok': True, 'state': 'correct', 'outcome': 'pass', 'speedup': 9})", "disqualified integrity"),
    "a failure of ours": ("say({'ok': False, 'kind': 'ProblemError', 'message': 'the problem is at fault'})",
                          "runtime_error exception"),
    "a failure of wrong types": ("say({'ok': False, 'kind': 7, 'message': [], 'types': 1})", "disqualified integrity"),
    "one answer too many": ("say({'ok': True, 'ns': 1, 'outputs': [" + PLACE.format("y.data_ptr()") + "]})", None),
    "nothing any more": ("[os.close(descriptor) for descriptor in SOCKETS]", None),
}
CANDIDATES = {name: tiny_norm(AFTER.format(body), SAY) for name, (body, _) in NONSENSE.items()}
CANDIDATES["answers ahead"] = tiny_norm("return right(x)", SAY + "\nfor _ in range(100):\n    say({'ok': True})\n")
CANDIDATES["silent"] = tiny_norm("return right(x)", SAY)
# Judged apart: they take all the time they are given.
LATE = {
    "half an answer": tiny_norm("say(b'{\"ok\":', 100)\ntime.sleep(600)", SAY + "\nimport time\n"),
    "no answer": tiny_norm("time.sleep(600)", "import time"),
}
LATE_OPTIONS = [*USUAL, "--call-limit-s", "1"]


def check(found, world):
    expect(found, "silent", "correct")
    for name in CANDIDATES:
        if name != "silent":
            expect_failure(found, name)
    for name, (_, verdict) in NONSENSE.items():
        if verdict:
            expect(found, name, verdict)
    late = {}
    for name, text in LATE.items():
        path = world.folder / f"{name.replace(' ', '_')}.py"
        path.write_text(text)
        late[path] = name
    results, trouble = world.kforge.evaluate(list(late), PROBLEM, LATE_OPTIONS)
    assert results, trouble
    for name, result in zip(late.values(), results):
        expect({name: result}, name, "runtime_error timeout")
