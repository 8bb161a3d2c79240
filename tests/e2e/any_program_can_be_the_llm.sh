# Provider command: prompt on stdin, answer on stdout; its failures are verdicts, "not yet" suspends.
. "$ROOT/tests/fixtures/e2e.sh"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >"stdin-$KFORGE_AGENT-$KFORGE_ITERATION"
[ -d "$KFORGE_RUN_DIR" ] || exit 9
echo "$KFORGE_AGENT-$KFORGE_ITERATION $*" >>calls
[ "$KFORGE_AGENT" = generation ] || { echo "Use fewer passes ($SECRET_WORD)."; exit; }
case $KFORGE_ITERATION in
1) echo 'I am sorry, no code today.' ;;
2) echo 'disk on fire' >&2; exit 3 ;;
3) ;;
4) [ -e ready ] || exit 75; cat "$CANDIDATES/correct.py" ;;
*) cat "$CANDIDATES/kernel.py" ;;
esac
SCRIPT
chmod +x llm
export CANDIDATES="$FIX/candidates" SECRET_WORD=swordfish
cat >kforge.toml <<TOML
[llms.script]
provider = "command"
command = ["./llm", "two words"]
TOML
expect 5 "$KFORGE" run "$SCALE" --llm script -n 5 "${FAST[@]}" --out r --json
check '[(i["state"], i["reason"]) for i in r["iterations"]] == [("generation_failure", "no_code"),
       ("generation_failure", "network"), ("generation_failure", "empty")]'
has r/iterations/02/verdict.json 'disk on fire'
has r/iterations/01/verdict.json 'no code today'
has stdin-generation-1 'class Model(nn.Module)'
touch ready && rm kforge.toml
expect 0 "$KFORGE" resume r --json
check '[i["state"] for i in r["iterations"]][3:] == ["correct", "correct"]'
has stdin-analysis-4 'aten::'
has stdin-generation-5 'Use fewer passes (swordfish).'
[ "$(tr '\n' ';' <calls)" = "generation-1 two words;generation-2 two words;generation-3 two words;generation-4 two words;\
generation-4 two words;analysis-4 two words;generation-5 two words;" ] || fail "other calls: $(cat calls)"
error 3 'no-such-program' "$KFORGE" run "$SCALE" --llm 'command:./no-such-program' "${FAST[@]}" --out x
