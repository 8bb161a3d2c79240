# A campaign: problems x platforms x LLMs from one file, in one directory of ordinary runs, with one summary; wrong
# files are told; one that is suspended does not hold up the others.
. "$ROOT/tests/fixtures/e2e.sh"
answers good "$FIX/candidates/correct.py"
answers bad "$FIX/candidates/wrong.py"
mkdir mine && cp "$SCALE" mine/one.py && sed 's/^# .*//' "$SCALE" >mine/two.py
campaign() { printf '[campaign]\nname = "try"\njobs = 2\nproblems = ["mine/*.py"]\n%s\n[run]\nstrategy = "single"\nbaselines = ["eager"]\ntiming_budget_s = 0.2\n%s\n' "$1" "${2:-}" >c.toml; }

campaign 'llm = ["x"]' && error 2 "c.toml:5: unknown key 'llm' in [campaign]: did you mean 'llms'?" "$KFORGE" campaign c.toml
campaign 'llms = ["replay:good"]' 'baseline = ["x"]' && error 2 "did you mean 'baselines'?" "$KFORGE" campaign c.toml
campaign 'llms = ["replay:good"]' 'platform = "x"' && error 2 'platform is no setting for all runs' "$KFORGE" campaign c.toml
campaign 'llms = ["nobody"]' && error 2 "nobody" "$KFORGE" campaign c.toml
campaign 'llms = ["replay:good"]
platforms = ["cpu-cp"]' && error 2 "cpu-cpp" "$KFORGE" campaign c.toml
error 2 'is no campaign' "$KFORGE" campaign mine
[ ! -e runs ] || fail 'something was made'

campaign 'llms = ["replay:good", "replay:bad", "mailbox"]' '[[override]]
problem = "*two*"
llm = "replay:*"
prompt_append = ["Think twice."]'
expect 0 "$KFORGE" campaign c.toml --dry-run --json
check 'len(r["runs"]) == 6 and r["estimate"]["llm_calls"] == 6 and r["estimate"]["usd"] == 0'
expect 5 "$KFORGE" campaign c.toml -o c --json
check '[p["state"] for p in r["plan"]] == ["correct", "none correct", "suspended"] * 2 and r["geometric_mean"]["all"]["runs"] == 2'
check '[p["problem"] for p in r["plan"]] == ["mine/one.py"] * 3 + ["mine/two.py"] * 3 and r["cost"]["calls"] == 4'
has c/04-two-cpu-cpp-replay/iterations/01/prompt.md 'Think twice.' && has_not c/01-one-cpu-cpp-replay/iterations/01/prompt.md 'Think twice.'
has "$err" '03-one-cpu-cpp-mailbox: suspended' && has "$err" '4 of 6 runs are over' 
error 2 'already holds a campaign' "$KFORGE" campaign c.toml -o c
error 2 '--llm: c is a campaign' "$KFORGE" resume c --llm mailbox
# The runs are ordinary ones, and the file and the problems are no longer needed.
rm -r c.toml mine
expect 0 "$KFORGE" report c/01-one-cpu-cpp-replay && has "$out" 'iteration 1'
cp "$FIX/candidates/correct.py" c/03-one-cpu-cpp-mailbox/mailbox/001.answer.md
cp "$FIX/candidates/correct.py" c/06-two-cpu-cpp-mailbox/mailbox/001.answer.md
expect 1 "$KFORGE" resume c
has "$out" '06-two-cpu-cpp-mailbox  ' && has "$out" 'over 4 runs' && has_not "$out" 'next '
