"""Checks how a player has a call checked for its memory accesses, with a stand-in for compute-sanitizer that runs the call and
finds what a file tells it to. Needs PyTorch; exit 0 if all is well, 1 if not."""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from kforge_arena import player, sanitize  # noqa: E402

CHECKER = """#!/bin/sh
while [ "$1" != "$PYTHON_OF_TEST" ]; do shift; done
"$@"
status=$?
[ ! -e silent ] || exit $status
[ ! -e fault ] || { echo "========= Invalid __global__ read"; status=86; }
echo "========= ERROR SUMMARY: some"
exit $status
"""
CANDIDATE = """
import beside
import torch

class NewModel(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(size))

    def forward(self, x):
        assert not self.training, "it is in training mode"
        assert torch.equal(self.weight, torch.ones(4)), "its weights are not the player's"
        assert x.untyped_storage().nbytes() == 16, "all of a shared buffer was saved"
        return x + self.weight
"""


def sanitized(mode):
    subject = player.Player({"device": "cpu", "by_host": False, "mode": mode}, None)
    subject.origin = {"init": [4], "seed": 1}
    subject.state = {"weight": torch.ones(4)}
    subject.bound = [torch.zeros(1000)[4:8]]
    return subject.op_sanitize({"limit_s": 100})


def check():
    done = sanitized("eval")
    assert done["found"] is False and "ERROR SUMMARY" in done["report"], done
    done = sanitized("as_is")
    assert "it is in training mode" in done["not_done"], done
    pathlib.Path("fault").touch()
    done = sanitized("eval")
    assert done["found"] is True and "Invalid __global__ read" in done["report"], done
    pathlib.Path("silent").touch()
    assert "status 0" in sanitized("eval")["not_done"]
    os.environ["PATH"], os.environ["CUDA_HOME"] = "", "/nowhere"
    assert "neither in PATH" in sanitized("eval")["not_done"] and sanitize.tool() is None


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tool = pathlib.Path("bin/compute-sanitizer")
        tool.parent.mkdir()
        tool.write_text(CHECKER)
        tool.chmod(0o755)
        pathlib.Path("candidate.py").write_text(CANDIDATE)
        pathlib.Path("beside.py").touch()
        os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
        os.environ["PYTHON_OF_TEST"] = sys.executable
        try:
            check()
        finally:
            os.chdir("/")
    print("calls are checked as the player makes them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
