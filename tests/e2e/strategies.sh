# Single shot, independent samples (several at once, the best kept), and samples whose best is refined.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
answers rec "$c/slow.py" "$c/kernel.py" "$c/wrong.py" "$c/correct.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec --strategy single "${FAST[@]}" --out one --json
check 'len(r["iterations"]) == 1 and r["best_iteration"] == 1'

# Each sampling call waits until another one is there too.
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
touch "met-$KFORGE_ITERATION"
for _ in $(seq 100); do [ "$(ls met-* | wc -l)" -lt 2 ] || break; sleep 0.1; done
[ "$(ls met-* | wc -l)" -ge 2 ] || exit 1
cat "$REC/iterations/0$KFORGE_ITERATION/response.md"
SCRIPT
chmod +x llm
export REC="$PWD/rec"
expect 0 "$KFORGE" run "$SCALE" --llm command:./llm --strategy sample --samples 3 --parallel 2 "${FAST[@]}" --out many --json
check '[i["pass"] for i in r["iterations"]] == ["first"] * 3'
[ "$(grep -c 'asking' "$err")" = 3 ] || fail "not three calls are told"
check '[i["state"] for i in r["iterations"]] == ["correct", "correct", "mismatch"] and r["best_iteration"] == 2'
cmp many/best/candidate.py many/iterations/02/candidate.py
has_not many/iterations/03/prompt.md '# The candidate of iteration'
cmp <(sed 's/iteration [0-9]//' many/iterations/01/prompt.md) <(sed 's/iteration [0-9]//' many/iterations/03/prompt.md)

# Three first tries, then the best of them is refined: -n counts the try and its refinements.
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec --samples 3 -n 2 "${FAST[@]}" --out both --json
check '[i["pass"] for i in r["iterations"]] == ["first"] * 3 + ["optimization"]'
has both/iterations/04/prompt.md '# The candidate of iteration 2'
expect 1 "$KFORGE" run "$SCALE" --llm replay:rec --samples 1 --strategy sample "${FAST[@]}" --out none --ban-pattern 'stack' --json
check 'r["best_iteration"] is None and r["state"] == "disqualified" and r["status"] == "finished"'
error 2 'strategy single' "$KFORGE" run "$SCALE" --llm replay:rec --strategy single --samples 2
