# A batch that is interrupted tells the verdicts that were reached, in one JSON object with the error.
. "$ROOT/tests/fixtures/e2e.sh"
cp "$FIX/candidates/correct.py" good.py
sed 's/def forward(self, x):/&\n        self.calls = getattr(self, "calls", 0) + 1\n        __import__("time").sleep(9 * (self.calls > 14))/' good.py >slow.py
sed 's/14/15/' slow.py >other.py

setsid "$PYTHON" -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
    "$KFORGE" eval good.py slow.py other.py --problem "$SCALE" "${FAST[@]}" --json >"$out" 2>"$err" </dev/null &
pid=$!
for ((tenths = 0; tenths < 1200; ++tenths)); do
    ! grep -q 'timing slow.py' "$err" || break
    sleep 0.1
done
kill -INT "$pid"
status=0
wait "$pid" || status=$?
[ "$status" = 130 ] || fail "exit status $status, not 130"
"$PYTHON" - "$out" <<'PY' || fail "verdicts are lost"
import json, sys
told = json.load(open(sys.argv[1]))
assert told["results"][0]["state"] == "correct" and told["results"][1:] == [None, None], told["results"]
assert told["error"]["code"] == 130, told["error"]
PY
