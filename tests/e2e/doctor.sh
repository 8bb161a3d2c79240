# kforge doctor: ok here; with a Python that has no PyTorch it says what mends that, and everything exits 3.
. "$ROOT/tests/fixtures/e2e.sh"
expect 0 "$KFORGE" doctor
has "$out" 'torch'
expect 0 "$KFORGE" doctor --json
check 'r["healthy"] and all(c["health"] in ("ok", "weak") for c in r["checks"])'
"$PYTHON" -m venv --without-pip bare
expect 3 "$KFORGE" doctor --python bare/bin/python
has "$out" 'missing' && has "$out" 'pip install' && has "$out" 'torch'
expect 3 "$KFORGE" doctor --python bare/bin/python --json
check 'not r["healthy"] and any(c["health"] == "missing" and c["mend"] for c in r["checks"])'
error 3 'torch' "$KFORGE" eval "$FIX/candidates/correct.py" --problem "$SCALE" --python bare/bin/python
error 3 'torch' "$KFORGE" run "$SCALE" --llm mailbox --python bare/bin/python --out r
error 3 'no-python-here' "$KFORGE" eval "$FIX/candidates/correct.py" --problem "$SCALE" --python no-python-here

# The Python of an environment variable, then that of an active virtual environment.
KFORGE_PYTHON=$PWD/bare/bin/python error 3 'torch' "$KFORGE" vet "$SCALE"
env -u KFORGE_PYTHON VIRTUAL_ENV="$PWD/bare" "$KFORGE" doctor >"$out" 2>&1 && fail "a Python without torch is well"
has "$out" 'bare/bin/python'
