# kforge init, who overrides whom, unknown keys with the nearest right one, and a dry run that does nothing.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir -p "$XDG_CONFIG_HOME/kforge" project/deep
printf 'iterations = 2\nsamples = 2\nllm = "mailbox"\nweights = "live"\n' >"$XDG_CONFIG_HOME/kforge/kforge.toml"
cd project
expect 0 "$KFORGE" init
has "$out" 'kforge.toml' && has kforge.toml '#iterations = 5'
cp kforge.toml before
error 2 'kforge.toml' "$KFORGE" init
cmp kforge.toml before
printf 'iterations = 3\nprecision = "mixed"\nban_pattern = ["a", "b"]\n' >>kforge.toml.new
cat kforge.toml >>kforge.toml.new && mv kforge.toml.new kforge.toml
cd deep
expect 0 "$KFORGE" run "$SCALE" --dry-run --json --precision accurate --ban-pattern c
check 'r["settings"]["iterations"] == "3" and r["settings"]["samples"] == "2" and r["settings"]["weights"] == "live"'
check 'r["settings"]["precision"] == "accurate" and r["settings"]["ban_pattern"] == ["c"]'
check 'r["estimate"]["tokens"] > 1000 and r["estimate"]["llm_calls"] == 6'
[ -z "$(ls -A)" ] || fail "the dry run made something"
expect 0 "$KFORGE" run "$SCALE" --dry-run
has "$out" 'iterations = 3' && has "$out" 'estimate: at most 6 LLM calls'
expect 0 "$KFORGE" run --dry-run "$SCALE" --config "$XDG_CONFIG_HOME/kforge/kforge.toml"
has "$out" 'iterations = 2'
echo 'itertions = 3' >kforge.toml
error 2 "kforge.toml:1: unknown key 'itertions': did you mean 'iterations'?" "$KFORGE" run "$SCALE" --dry-run
printf 'iterations = "three"\n' >kforge.toml
error 2 'iterations must be a whole number' "$KFORGE" run "$SCALE" --dry-run
printf 'iterations = = 3\n' >kforge.toml
error 2 'kforge.toml:1' "$KFORGE" run "$SCALE" --dry-run
printf '[llms.x]\nprovider = "comand"\n' >kforge.toml
error 2 "no provider 'comand'; the providers are anthropic" "$KFORGE" llms
printf 'call_limit_s = 30\ntime_limit_s = 10\n' >kforge.toml
error 2 'call_limit_s is above time_limit_s' "$KFORGE" run "$SCALE" --dry-run --json
check 'r["error"]["code"] == 2'
error 2 'no-such.toml' "$KFORGE" run "$SCALE" --config no-such.toml
