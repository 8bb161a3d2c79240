# The user's guard rules travel with the run, whole, to where the user's configuration is not.
. "$ROOT/tests/fixtures/e2e.sh"
cat >kforge.toml <<'END'
[[guard]]
name = "no-relu"
pattern = "torch\\.relu"
unless = "self\\.scale"
why = "only where it is scaled"
END
expect 5 "$KFORGE" run "$SCALE" --llm mailbox --strategy single "${FAST[@]}" --out r
has r/run.toml 'unless = '
rm kforge.toml
{ echo '```python'; cat "$FIX/candidates/correct.py"; echo '```'; } >r/mailbox/001.answer.md
has r/mailbox/001.answer.md 'torch.relu(x), self.scale'
expect 0 "$KFORGE" resume r --json
check 'r["state"] == "correct"'
