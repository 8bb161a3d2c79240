# A candidate that breaks a rule never runs; verdict and next prompt name pattern and line.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
sed -e 's/return .*/return (torch.relu(x).half() * self.scale + 1.0).float()/' -e "1i print('IT RAN')" "$c/correct.py" >halved.py
answers rec halved.py "$c/correct.py" "$c/kernel.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 3 "${FAST[@]}" --out r --json --ban-pattern 'add\w*mul'
check '[(i["state"], i["reason"]) for i in r["iterations"]] == [("disqualified", "guardrail")] * 2 + [("correct", None)]'
check '"line 12" in r["evidence"] and "pattern /" in r["evidence"] and r["output"] == "" and r["speedup"] is None' r/iterations/01/verdict.json
check 'r[0]["line"] == 12 and ".half()" in r[0]["text"] and r[0]["rule"] and r[0]["pattern"]' r/iterations/01/guard.json
has r/iterations/01/prompt.md 'add\w*mul'
has r/iterations/02/prompt.md 'disqualified (guardrail)'
has r/iterations/02/prompt.md 'line 12'
has r/iterations/03/prompt.md 'add\w*mul'

# In a comment or a string it is not code; with mixed precision the rule does not hold.
sed -e 's/return .*/return torch.relu(x) * self.scale + 1.0  # no .half() here/' "$c/correct.py" >comment.py
expect 0 "$KFORGE" eval comment.py --problem "$SCALE" "${FAST[@]}" --json
check 'r["guard"] == []'
expect 1 "$KFORGE" eval comment.py --problem "$SCALE" "${FAST[@]}" --json --require-pattern '__global__'
check 'r["state"] == "disqualified" and r["timings"] is None'
expect 0 "$KFORGE" eval halved.py --problem "$SCALE" "${FAST[@]}" --precision mixed --json
check 'r["state"] == "correct" and "IT RAN" in r["output"]'
check 'r["timings"]["same_permission_baseline"]'
printf '[[guard]]\nname = "no-relu"\npattern = "relu"\nwhy = "not today"\n' >kforge.toml
expect 1 "$KFORGE" eval "$c/correct.py" --problem "$SCALE" "${FAST[@]}"
has "$out" 'no-relu' && has "$out" 'not today'
rm kforge.toml
error 2 'relu(' "$KFORGE" eval "$c/correct.py" --problem "$SCALE" --ban-pattern 'relu('
