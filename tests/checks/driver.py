#!/usr/bin/env python3
"""tests/run itself: what it counts, shows, skips, stops and selects, on a small tree of made-up tests."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _sources import ROOT

UNIT = """#!/bin/bash
echo "$1" >"$0.filter"
echo '[==========] Running 4 tests from 1 test suite.'
echo '[ RUN      ] Text.Splits'
echo 'noise'
echo '[       OK ] Text.Splits (12 ms)'
echo '[ RUN      ] Text.Joins'
echo 'text_test.cpp:5: Failure, because of this'
echo '[  FAILED  ] Text.Joins, where GetParam() = 3 (1 ms)'
echo '[ RUN      ] Text.Needs'
echo 'text_test.cpp:9: Skipped'
echo 'no accelerator here'
echo '[  SKIPPED ] Text.Needs (0 ms)'
echo '[ RUN      ] Text.Crashes'
kill -SEGV $$
"""
FILES = {
    "scripts/build": "#!/bin/bash\nexit 0\n",
    "build/kforge_unit_tests": UNIT,
    "tests/checks/good.py": "print('quiet')",
    "tests/checks/bad.py": "import sys; print('seen only on failure'); sys.exit(3)",
    "tests/checks/_shared.py": "raise SystemExit('not a test')",
    "tests/conformance/threats/run.py": """
import sys
assert sys.argv[1] == "--kforge" and sys.argv[3] == "--library" and sys.argv[5] == "--python", sys.argv
print("ok forks")
print("[SKIP] gpu: no device")
print("the reason")
print("FAIL escapes")
sys.exit(1)
""",
    "tests/conformance/silent/run.py": "",
    "tests/e2e/good.sh": '[[ -x $PYTHON && -d $TMP && $PWD -ef $TMP && $KFORGE == /*/build/kforge && -z $KFORGE_LLM ]]',
    "tests/e2e/serial_bad.sh": "echo hidden >&2; exit 9",
    "tests/e2e/skipped.sh": "echo '[SKIP] needs a moon'; exit 77",
    "tests/e2e_slow.sh": "echo begun; sleep 1000",
    "tests/e2e/orphan.sh": "sleep 1000 & echo $! >\"$ROOT/orphan.pid\"",
}


def run(root, *arguments):
    env = dict(os.environ, PYTHON=sys.executable, KFORGE_LLM="must not reach a test")
    result = subprocess.run([sys.executable, ROOT / "tests/run", "--root", root, *arguments],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, timeout=120)
    return result.returncode, result.stdout


def gone(pid):
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def check(root):
    status, output = run(root, "checks", "unit", "conformance", "e2e", "-j2")
    lines = output.splitlines()
    assert status == 1, output
    assert lines[-1] == "5 passed, 6 failed, 3 skipped", output
    for expected in (r"ok +checks/good  \(\d+\.\d\d s\)", r"FAIL +checks/bad ", r"    \| seen only on failure",
                     r"    \| exit status 3", r"ok +unit/Text\.Splits  \(0\.01 s\)", r"FAIL +unit/Text\.Joins ",
                     r"    \| text_test.cpp:5: Failure, because of this",
                     r"\[SKIP\] unit/Text\.Needs: no accelerator here", r"FAIL +unit/Text\.Crashes ",
                     r"    \| signal 11 \(SIGSEGV\)", r"ok +conformance/threats/forks ",
                     r"\[SKIP\] conformance/threats/gpu: no device", r"FAIL +conformance/threats/escapes ",
                     r"    \| the reason", r"FAIL +conformance/silent ", r"ok +e2e/good ", r"ok +e2e/orphan ",
                     r"FAIL +e2e/serial_bad ", r"    \| hidden", r"\[SKIP\] e2e/skipped: needs a moon"):
        assert any(re.match(expected, line) for line in lines), f"no line like {expected} in:\n{output}"
    assert "quiet" not in output and "noise" not in output, output
    assert gone(int((root / "orphan.pid").read_text())), "a process of a finished test lives on"

    assert run(root, "e2e/good")[1].splitlines()[-1] == "1 passed, 0 failed, 0 skipped"
    assert run(root, "e2e/good")[0] == 0
    run(root, "unit/Text.S*", "unit/Other.*")
    assert (root / "build/kforge_unit_tests.filter").read_text() == "--gtest_filter=Text.S*:Other.*\n"
    assert run(root, "e2e/absent")[0] == 2
    (root / "tests/e2e_slow.sh").rename(root / "tests/e2e/slow.sh")
    status, output = run(root, "e2e/slow", "--timeout", "0.5")
    assert status == 1 and "| begun" in output and "stopped after 0.5 s" in output, output
    status, output = run(root, "nonsense")
    assert status != 0 and "none of: checks, unit" in output, output

    (root / "scripts/build").write_text("#!/bin/bash\necho broken; exit 1\n")
    status, output = run(root, "e2e/good")
    assert status == 1 and "FAIL   build/default" in output and "0 passed, 1 failed" in output, output


def main():
    with tempfile.TemporaryDirectory(prefix="kforge test ") as folder:
        root = Path(folder).resolve()
        for name, text in FILES.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        check(root)
    print("tests/run counts, shows, stops and selects as it should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
