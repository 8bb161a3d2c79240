# A different LLM for each agent; a regression goes back to the best; budgets stop a run that can be resumed.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
cat >kforge.toml <<TOML
llm = "writer"
analysis_llm = "reader"
baselines = ["eager"]
timing_budget_s = 0.2
[llms.writer]
provider = "replay"
directory = "rec"
usd_per_million_output = 10
[llms.reader]
provider = "command"
command = ["./read"]
TOML
printf '#!/bin/bash\ncat >asked-$KFORGE_ITERATION\necho "# Recommendation"; echo "Advice number $KFORGE_ITERATION."\n' >read
chmod +x read
answers rec "$c/kernel.py" "$c/slow.py" "$c/wrong.py" "$c/wrong.py" "$c/wrong.py" "$c/kernel.py"
expect 0 "$KFORGE" run "$SCALE" -n 6 --out r --json
check '[i["pass"] for i in r["iterations"]] == ["first", "optimization", "optimization", "functional", "functional",
                                                "optimization"]'
check 'r["cost"]["usd"] > 0'
has r/iterations/02/prompt.md 'Advice number 1.'
has r/iterations/03/prompt.md 'Advice number 2.'
has r/iterations/03/prompt.md '# The candidate of iteration 1'
has r/iterations/04/prompt.md '# The candidate of iteration 3'
has r/iterations/06/prompt.md '# The candidate of iteration 1'
has r/iterations/06/prompt.md 'Advice number 5.'
has asked-1 'aten::' && has asked-1 'class NewModel'
check 'r["llm"] == "writer"' r/iterations/01/request.json
check 'r["llm"] == "reader"' r/iterations/01/analysis/request.json

