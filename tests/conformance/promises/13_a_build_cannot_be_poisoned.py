"""A candidate leaves files behind and tries to write to the caches. The next one finds nothing of it; the same one
finds its own again, in another session; what it does with it then touches nobody else."""

from promise import TINY_NORM, USUAL, expect, tiny_norm

OPTIONS = USUAL
PROBLEM = TINY_NORM

LEAVE = '''
import os
import time

FOUND = sorted(name for name in os.listdir() if name.startswith("left"))
print("found", FOUND)
for name in os.listdir():
    if name.startswith("left"):
        open(name, "a").write("spoilt")
time.sleep(1.5)  # a build that is worth keeping
open("left_%s", "w").write("by %s")
WRITTEN = []
for root in {os.environ.get("CPATH", ""), os.environ.get("XDG_CACHE_HOME", ""), "@CACHE@"} - {""}:
    for folder, _, names in os.walk(root):
        for path in [os.path.join(folder, "new"), *(os.path.join(folder, name) for name in names)]:
            try:
                open(path, "a").close()
                WRITTEN.append(path)
            except OSError:
                pass
print("written", [path for path in WRITTEN if not path.startswith(os.getcwd())])
'''


def candidate(name):
    # Named in a comment, so that the headers are made ready: load_inline(name="x", extra_cflags=["-O0"])
    return tiny_norm("return right(x)", LEAVE.replace("%s", name))


def session(world, names):
    cache = world.folder / "cache"
    folder = world.folder / "builds"
    folder.mkdir(exist_ok=True)
    paths = []
    for name in names:
        paths.append(folder / f"{name}.py")
        paths[-1].write_text(candidate(name).replace("@CACHE@", str(cache)))
    results, trouble = world.kforge.evaluate(paths, PROBLEM, OPTIONS, {"XDG_CACHE_HOME": str(cache),
                                                                      "TMPDIR": str(world.temporary)})
    assert results, trouble
    found = dict(zip(names, results))
    for name in names:
        expect(found, name, "correct")
        assert "written []" in found[name]["output"], found[name]["output"]
    return found


def check(found, world):
    first = session(world, ["one", "two"])
    assert all("found []" in result["output"] for result in first.values()), first
    kept = {path: path.read_bytes() for path in (world.folder / "cache").rglob("left_*")}
    if not kept:
        assert any("jail" in promise or "scratch" in promise for promise in first["one"]["open_promises"]), \
            "nothing was kept of a build that took longer than a second"
        return
    assert sorted(kept.values()) == [b"by one", b"by two"], kept
    again = session(world, ["two", "three", "one"])
    assert "found ['left_one']" in again["one"]["output"], again["one"]["output"]
    assert "found ['left_two']" in again["two"]["output"], again["two"]["output"]
    assert "found []" in again["three"]["output"], again["three"]["output"]
    assert {path: path.read_bytes() for path in kept} == kept, "what was kept has changed"
