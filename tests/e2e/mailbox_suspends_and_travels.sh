# A person answers: the run suspends, moves to another place, and goes on there.
. "$ROOT/tests/fixtures/e2e.sh"
expect 5 "$KFORGE" run "$SCALE" --llm mailbox -n 3 "${FAST[@]}" --out here --prompt-append 'Mind the tail.' --json
check 'r["status"] == "suspended" and r["iterations"] == [] and "001.answer.md" in r["message"]'
has here/mailbox/001.prompt.md 'class Model(nn.Module)'
has here/mailbox/001.prompt.md 'Mind the tail.'

# Nothing was answered: the same letter, the same state.
cp here/mailbox/001.prompt.md first.md
expect 5 "$KFORGE" resume here
has "$out" '001.answer.md' && has "$out" 'kforge resume here'
touch here/mailbox/001.answer.md
expect 5 "$KFORGE" resume here
cmp here/mailbox/001.prompt.md first.md

# Elsewhere: only the folder itself and its answers are needed.
mkdir other && mv here other/there
{ echo '```python'; cat "$FIX/candidates/wrong.py"; echo '```'; } >other/there/mailbox/001.answer.md
expect 5 "$KFORGE" resume other/there --json
check '[i["state"] for i in r["iterations"]] == ["mismatch"] and "there/mailbox/003" in r["message"]'
has other/there/mailbox/003.prompt.md 'of 16384 values differ'
cp "$FIX/candidates/correct.py" other/there/mailbox/003.answer.md
expect 5 "$KFORGE" resume other/there --json
check 'r["best_iteration"] == 2 and "004.answer.md" in r["message"]'
has other/there/mailbox/004.prompt.md 'aten::'
echo 'Fuse the two passes over memory into one.' >other/there/mailbox/004.answer.md
expect 5 "$KFORGE" resume other/there
has other/there/mailbox/005.prompt.md 'Fuse the two passes'
has other/there/iterations/02/recommendation.md 'Fuse the two passes'
cp "$FIX/candidates/kernel.py" other/there/mailbox/005.answer.md
expect 0 "$KFORGE" resume other/there --json
check '[i["state"] for i in r["iterations"]] == ["mismatch", "correct", "correct"] and r["status"] == "finished"'
[ ! -e here ] || fail "the old place was written to"
[ "$(grep -c '"event":"generation_answered"' other/there/journal.jsonl)" = 3 ] || fail "not three answers"
