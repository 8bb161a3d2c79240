# One budget for all runs of a campaign: runs at once never cross it, a resumed one neither; a higher one lets it go on.
. "$ROOT/tests/fixtures/e2e.sh"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
flock calls.lock bash -c 'echo "$KFORGE_AGENT-$KFORGE_ITERATION" >>calls'
sleep 0.2
cat "$CANDIDATES/wrong.py"
SCRIPT
chmod +x llm && export CANDIDATES="$FIX/candidates"
cat >c.toml <<TOML
campaign = {problems = ["$SCALE"], llms = ["a", "b", "c", "d"], jobs = 4, budget_usd = 0.5}
run = {baselines = ["eager"], timing_budget_s = 0.2, iterations = 3}
TOML
for name in a b c d; do
    printf '[llms.%s]\nprovider = "command"\ncommand = ["%s/llm"]\nusd_per_million_input = 1\nusd_per_million_output = 100\nmax_output_tokens = 1000\n' "$name" "$PWD" >>c.toml
done
sum() { "$PYTHON" -c 'import glob, json
print(sum(json.loads(l)["usage"]["usd"] for f in glob.glob("c/*/journal.jsonl") for l in open(f) if "_answered" in l))'; }

expect 0 "$KFORGE" campaign c.toml --dry-run --json
check 'len(r["runs"]) == 4 and r["estimate"]["worst_usd"] == 0.5 and r["estimate"]["llm_calls"] == 20'
error 2 "'u' are not known" "$KFORGE" campaign <(sed 's/"d"\]/"u"]/; $a [llms.u]\nprovider = "command"\ncommand = ["x"]' c.toml) -o u
expect 1 "$KFORGE" campaign c.toml -o c --budget-usd 0.16 --json
check '0 < r["cost"]["usd"] <= 0.16 and r["cost"]["calls"] >= 1'
check 'any(p["state"] == "stopped" and "0.16 USD" in p["message"] and "campaign" in p["message"] for p in r["plan"])'
check "abs(r['cost']['usd'] - $(sum)) < 1e-9"
calls=$(wc -l <calls)
expect 1 "$KFORGE" campaign c --budget-usd 0.16 --json
check 'r["cost"]["usd"] <= 0.16'
expect 1 "$KFORGE" campaign c --budget-calls $((calls + 2)) --json
check "r['cost']['calls'] == $calls + 2 and r['cost']['usd'] <= 0.5 and '$((calls + 2)) calls' in str(r['plan'])"
[ "$(wc -l <calls)" = $((calls + 2)) ] || fail "calls: $(wc -l <calls)"
expect 1 "$KFORGE" resume c --budget-minutes 0.01 --budget-usd 9 --json
check "r['cost']['calls'] == $calls + 2 and '0.01 minutes' in str(r['plan'])"
expect 1 "$KFORGE" resume c --budget-usd 9 --json
check 'all(p["state"] == "none correct" for p in r["plan"]) and r["cost"]["calls"] == 12'
[ "$(sort calls | uniq -c | sort -u | wc -l)" = 3 ] && [ "$(wc -l <calls)" = 12 ] || fail "calls: $(sort calls | uniq -c)"
