# A run that meets a compile error, a wrong result, a slow kernel and a faster one, and says so everywhere.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
answers rec "$c/compile_error.py" "$c/wrong.py" "$c/slow.py" "$c/kernel.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 4 "${FAST[@]}" --out r --json
check '[i["state"] for i in r["iterations"]] == ["compilation_failure", "mismatch", "correct", "correct"]'
check '[i["pass"] for i in r["iterations"]] == ["first", "functional", "functional", "optimization"]'
check '[i["reason"] for i in r["iterations"]] == ["toolchain", "values", None, None]'
check 'r["state"] == "correct" and r["reason"] is None and r["status"] == "finished"'
# Which of two is faster a busy machine may see otherwise.
check 'r["best_iteration"] == max((i["speedup"]["value"], i["iteration"]) for i in r["iterations"] if i["speedup"])[1]'
best=$("$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["best_iteration"])' "$out")
check 'set(r) >= {"state", "reason", "evidence", "speedup", "same_permission_speedup", "timings", "error", "generality",
                  "guard", "vet", "run", "iterations", "cost", "best_candidate", "best_iteration", "status"}'
check 'r["speedup"]["low"] <= r["speedup"]["value"] <= r["speedup"]["high"] and r["vet"]["state"] == "ok"'
check 'r["cost"]["usd"] == 0 and r["cost"]["tokens"] > 0 and r["cost"]["estimated"]'
cmp r/best/candidate.py "r/iterations/0$best/candidate.py"
diff <(sed -n '/^```python/,/^```/p' rec/iterations/04/response.md | sed '1d;$d') r/iterations/04/candidate.py

# What was found out is in the next prompt: the error with its line, the values, the recommendation.
has r/iterations/02/prompt.md 'does not name a type'
has r/iterations/02/prompt.md 'const flot v = x[i * cols + j];'
has r/iterations/03/prompt.md 'expected'
has r/iterations/04/prompt.md 'Unroll loop 3.'
has r/iterations/03/analysis/prompt.md 'aten::'
has r/iterations/03/profile/profile.txt 'aten::relu'
for file in prompt.md request.json response.json response.md candidate.py guard.json verdict.json timings.json; do
    for i in 01 02 03 04; do [ -s "r/iterations/$i/$file" ] || fail "r/iterations/$i/$file is missing"; done
done

# The report says the same from the files alone, and a finished run has nothing left to do.
cp "$out" run.json
expect 0 "$KFORGE" report r --json
check 'r["iterations"] == json.load(open("run.json"))["iterations"]'
expect 0 "$KFORGE" report r
has "$out" 'toolchain: ' && has "$out" 'best/candidate.py' && has "$out" "*$best"
lines=$(wc -l <r/journal.jsonl)
expect 0 "$KFORGE" resume r
[ "$(wc -l <r/journal.jsonl)" = "$lines" ] || fail "resuming a finished run wrote to it"
