# Hooks: their numbers are stored, shown and rank; one that fails or hangs is told and loses nothing.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
cat >score <<'SCRIPT'
#!/bin/bash
cat >"$KFORGE_RUN_DIR/../seen-$KFORGE_ITERATION.json"
echo "{\"score\": $((10 - KFORGE_ITERATION)), \"registers\": 4$KFORGE_ITERATION}"
SCRIPT
printf '#!/bin/bash\necho out of luck >&2\nexit 7\n' >broken
printf '#!/bin/bash\nsleep 4%s &\nsleep 4%s\n' $$ $$ >hangs
printf '#!/bin/bash\necho no json\n' >chatty
chmod +x score broken hangs chatty
answers rec "$c/slow.py" "$c/kernel.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 2 "${FAST[@]}" --out r --json \
    --hook ./score --hook ./broken --hook ./hangs --hook ./chatty --hook ./missing --hook-timeout-s 0.5 --rank-by-hook
gone "sleep 4$$" || fail "the hook's processes live on"
check '[i["state"] for i in r["iterations"]] == ["correct", "correct"]'
check 'r["best_iteration"] == 1'
check 'r["state"] == "correct" and r["iteration"] == 1 and "speedup" in r' seen-1.json
check 'r["score"] == 9 and r["numbers"] == {"registers": 41} and not r["failure"]' r/iterations/01/hook-1-score.json
check '"out of luck" in r["failure"] and "7" in r["failure"]' r/iterations/01/hook-2-broken.json
check '"0.5 s" in r["failure"]' r/iterations/01/hook-3-hangs.json
check '"no json" in r["failure"]' r/iterations/02/hook-4-chatty.json
check 'r["failure"]' r/iterations/02/hook-5-missing.json
has "$err" 'out of luck' && has "$err" 'gave no result within 0.5 s'
has r/iterations/02/prompt.md 'registers = 41'
has r/iterations/02/prompt.md 'score = 9'
has_not r/iterations/02/prompt.md 'out of luck'
error 2 'rank_by_hook needs a hook' "$KFORGE" run "$SCALE" --llm replay:rec --rank-by-hook
