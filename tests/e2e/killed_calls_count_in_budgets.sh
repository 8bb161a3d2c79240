# A call that is killed on its way counts at its worst: caps hold, and the report tells it apart. Minutes bind all steps.
. "$ROOT/tests/fixtures/e2e.sh"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
echo "$KFORGE_AGENT-$KFORGE_ITERATION" >>calls
if [ ! -e killed ]; then touch killed; kill -9 $PPID; sleep 600; fi
cat "$CANDIDATES/wrong.py"
SCRIPT
chmod +x llm && export CANDIDATES="$FIX/candidates"
cat >kforge.toml <<TOML
baselines = ["eager"]
timing_budget_s = 0.2
[llms.priced]
provider = "command"
command = ["./llm"]
usd_per_million_input = 0
usd_per_million_output = 100
max_output_tokens = 1000
TOML
# Each call may take 0.1 USD: after the one that was killed there is room for one more.
expect 137 "$KFORGE" run "$SCALE" --llm priced -n 4 --budget-usd 0.205 --out r
expect 1 "$KFORGE" resume r --json
check 'r["status"] == "stopped" and "0.205 USD" in r["message"] and len(r["iterations"]) == 1'
check 'r["cost"]["calls"] == 1 and r["cost"]["unknown"]["calls"] == 1 and abs(r["cost"]["unknown"]["usd"] - 0.1) < 1e-9'
has "$err" 'the budget counts 1 call'
expect 0 "$KFORGE" report r
has "$out" 'not known: 1 call, at most'
expect 1 "$KFORGE" resume r --budget-usd 0.4 --json
check 'r["cost"]["unknown"]["calls"] == 1 and r["cost"]["calls"] > 1'

expect 1 "$KFORGE" run "$SCALE" --llm priced -n 1 --budget-minutes 0.0001 --out late --json
check 'r["status"] == "stopped" and "minutes" in r["message"] and r["cost"]["calls"] == 0'
expect 1 "$KFORGE" resume late --budget-minutes 60 --json
check 'r["status"] == "finished" and r["cost"]["calls"] == 1'
