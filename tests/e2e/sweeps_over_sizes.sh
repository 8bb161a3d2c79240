# kforge sweep: a row for every size with times, speedup or verdict; a plot; Ctrl-C keeps what was measured.
. "$ROOT/tests/fixtures/e2e.sh"
SWEEP=("$KFORGE" sweep --problem "$SCALE" "${FAST[@]}")
# Right for up to 64 rows: the given ones are 64.
sed 's/def forward(self, x):/&\n        if x.shape[0] > 64: return x + 1/' "$FIX/candidates/correct.py" >small.py
expect 0 "${SWEEP[@]}" small.py --sizes 64,3 --plot plot.svg
has "$out" 'leading size  eager ms  candidate ms  speedup [95 %]' && has "$out" '1x)' && has "$out" 'plot  plot.svg'
"$PYTHON" -c 'import xml.dom.minidom as m; assert len(m.parse("plot.svg").getElementsByTagName("circle")) == 8'
expect 1 "${SWEEP[@]}" small.py --sizes 2,100 --json
check '[(s["size"], s["state"], s["reason"]) for s in r["sizes"]] == [(2, "correct", None), (100, "mismatch", "values")]'
check 'set(r["sizes"][0]["timings"]["series"]) == {"eager", "candidate"} and r["sizes"][0]["speedup"]["low"] > 0'
check 'r["sizes"][1]["speedup"] is None and r["axis"] == "leading size" and r["sizes"][0]["vet"]["state"] == "ok"'

# A constant takes the module along; what the reference itself cannot do is no fault of the candidate.
sed -n '/^import/,$p' "$SCALE" >odd.py && sed -i 's/self.scale = /assert features != 5\n        &/' odd.py
expect 0 "$KFORGE" sweep "$FIX/candidates/correct.py" --problem odd.py "${FAST[@]}" --sizes 4,5 --constant features --json
check 'r["axis"] == "features" and r["sizes"][0]["state"] == "correct" and r["sizes"][1]["state"] is None'
check '"AssertionError" in r["sizes"][1]["evidence"]'
error 2 'works at none of the sizes' "$KFORGE" sweep small.py --problem odd.py --sizes 5 --constant features

# What is wrong is told at once.
error 2 'no sizes are named' "${SWEEP[@]}" small.py
error 2 "'0' is no size" "${SWEEP[@]}" small.py --sizes 4,0
error 2 'no module-level constant nothing' "${SWEEP[@]}" small.py --sizes 4 --constant nothing
error 2 'get_inputs() needs more memory than there is' "${SWEEP[@]}" small.py --sizes 9000000000
error 2 'written as .svg' "${SWEEP[@]}" small.py --sizes 4 --plot plot.png
error 2 'there is no folder' "${SWEEP[@]}" small.py --sizes 4 --plot no/plot.svg
error 3 'nothing can be timed' "${SWEEP[@]}" small.py --sizes 4 --platform intel-sycl

# Ctrl-C at the second size, which never ends.
sed "s/def forward(self, x):/&\n        if x.shape[0] == 5: __import__('time').sleep(1000)/" "$FIX/candidates/correct.py" >hangs.py
setsid "$PYTHON" -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
    "${SWEEP[@]}" hangs.py --sizes 4,5 --json >"$out" 2>"$err" &
pid=$! status=0
wait_until grep -q '(2 of 2)' "$err"
kill -INT -- "-$pid" && wait "$pid" || status=$?
[ "$status" = 130 ] || fail "exit status $status after SIGINT"
check '[s["size"] for s in r["sizes"]] == [4] and r["sizes"][0]["state"] == "correct" and r["ended_by"] == "interrupted"'
