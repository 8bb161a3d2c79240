# Caps on USD, tokens, calls and minutes stop a run before a call that could cross them; a higher one lets it go on.
. "$ROOT/tests/fixtures/e2e.sh"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
echo "$KFORGE_AGENT-$KFORGE_ITERATION" >>calls
[ "$KFORGE_AGENT" = generation ] && cat "$CANDIDATES/wrong.py" || echo "Advice."
SCRIPT
chmod +x llm && export CANDIDATES="$FIX/candidates"
cat >kforge.toml <<TOML
baselines = ["eager"]
timing_budget_s = 0.2
[llms.priced]
provider = "command"
command = ["./llm"]
usd_per_million_input = 1
usd_per_million_output = 100
max_output_tokens = 1000
[llms.unpriced]
provider = "command"
command = ["./llm"]
TOML
run=("$KFORGE" run "$SCALE" --llm priced -n 4 --json)
error 2 "'unpriced' are not known: set usd_per_million_input" "$KFORGE" run "$SCALE" --llm unpriced --budget-usd 1 --out u
expect 0 "${run[@]}" --dry-run --budget-usd 0.5
check 'r["estimate"]["llm_calls"] == 7 and r["estimate"]["worst_usd"] == 0.5 and 0 < r["estimate"]["usd"] <= 0.5'
expect 1 "${run[@]}" --budget-usd 0.05 --out none
check 'r["status"] == "stopped" and "0.05 USD" in r["message"] and r["cost"]["calls"] == 0'
[ ! -e u ] && [ ! -e calls ] || fail "somebody was asked"
expect 1 "${run[@]}" --budget-calls 2 --out r
check 'r["status"] == "stopped" and "2 calls" in r["message"] and r["cost"]["calls"] == 2 and r["cost"]["usd"] > 0'
expect 1 "$KFORGE" resume r
has "$out" '--budget-...' && has "$out" 'generation: 2 calls'
expect 1 "$KFORGE" resume r --budget-calls 0 --budget-tokens 20000 --json
check 'r["status"] == "stopped" and "20000 tokens" in r["message"] and r["cost"]["tokens"] <= 20000'
expect 1 "$KFORGE" resume r --budget-calls 0 --budget-minutes 0.01 --json
check 'r["status"] == "stopped" and "0.01 minutes" in r["message"]'
expect 1 "$KFORGE" resume r --budget-calls 9 --budget-minutes 60 --json
check 'r["status"] == "finished" and r["cost"]["agents"]["generation"]["calls"] == 4 and r["cost"]["priced"]'
[ "$(sort calls | uniq -d)" = '' ] || fail "asked twice: $(cat calls)"
