# What there is: problems, platforms, LLMs, help, version, vetting, profiles, each for people and programs.
. "$ROOT/tests/fixtures/e2e.sh"
expect 0 "$KFORGE" problems --json
check 'len([p for p in r["problems"] if p["name"].startswith("gemm-tail/")]) == 37'
check '10 <= len([p for p in r["problems"] if p["name"].startswith("starter/")]) <= 15'
expect 0 "$KFORGE" problems show rmsnorm
has "$out" 'class Model'
expect 0 "$KFORGE" platforms
has "$out" 'cpu-cpp'
expect 0 "$KFORGE" platforms show cpu-cpp --json
check 'r["name"] == "cpu-cpp" and r["usable"] and r["device"] == "cpu"'
expect 0 "$KFORGE" llms --json
check 'any(l["name"] == "mailbox" for l in r["llms"])'
expect 0 "$KFORGE" llms show mailbox
has "$out" 'mailbox'
expect 0 "$KFORGE" --version
has "$out" "$(cat "$ROOT/VERSION" 2>/dev/null || echo kforge)"
for command in run resume eval vet prompt profile report problems platforms llms init doctor; do
    expect 0 "$KFORGE" "$command" --help
    has "$out" "usage: kforge $command"
done
expect 0 "$KFORGE"
has "$out" 'usage: kforge'

expect 0 "$KFORGE" vet "$SCALE" --json
check 'r["problems"][0]["state"] == "ok"'
sed 's/return torch.relu.*/return torch.relu(x) * 0.0 + self.scale * 0.0/' "$SCALE" >constant.py
sed 's/return torch.relu.*/return torch.relu(x) * torch.rand(())/' "$SCALE" >dice.py
expect 1 "$KFORGE" vet "$SCALE" constant.py dice.py --json
check '[p["state"] for p in r["problems"]] == ["ok", "degenerate", "random"]'
expect 0 "$KFORGE" profile "$FIX/candidates/correct.py" --problem "$SCALE"
has "$out" 'aten::relu'
error 1 'flot' "$KFORGE" profile "$FIX/candidates/compile_error.py" --problem "$SCALE"
