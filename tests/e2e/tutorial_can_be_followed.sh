# docs/tutorial.md, followed literally: each command in it runs, and ends as the text around it says.
# Takes long.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir -p "$XDG_CONFIG_HOME/kforge"
printf 'baselines = ["eager"]\ntiming_budget_s = 0.2\n' >"$XDG_CONFIG_HOME/kforge/kforge.toml"
awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$ROOT/docs/tutorial.md" >steps.sh
cat >follow.sh <<'SCRIPT'
codes=$PWD/codes
kforge() {
    "$KFORGE" "$@" </dev/null
    local code=$?
    echo "$1 $code" >>"$codes"
    return $code
}
cd "$ROOT"
SCRIPT
expect 0 bash -c 'cat follow.sh steps.sh >all.sh && bash all.sh'
[ "$(tr '\n' ';' <codes)" = "doctor 0;vet 0;eval 1;eval 0;eval 0;eval 1;prompt 0;run 5;resume 5;resume 0;run 0;report 0;run 0;" ] ||
    fail "other exit codes: $(tr '\n' ';' <codes)"
cd ~/kforge-tutorial
grep -qE "case '(tiny|zeros)'" "$out" || fail "neither case"
has prompt.md 'Use at most two loops over a row.'
grep -qE 'values (differ by more than|are NaN)' runs/mine/mailbox/003.prompt.md || fail "the prompt does not say what was wrong"
has "$out" 'disqualified' && has "$err" 'analysis      Multiply by the reciprocal'
check 'r["numbers"]["lines"] > 40 and r["score"]' runs/guarded/iterations/03/hook-1-size.py.json
has runs/guarded/iterations/03/prompt.md 'lines ='
has runs/guarded/iterations/03/candidate.py '* factor'
