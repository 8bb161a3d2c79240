# kforge vet --time: problems vetted side by side, their baselines timed one after the other; half precision under mixed only.
. "$ROOT/tests/fixtures/e2e.sh"
sed 's/return torch.relu.*/return torch.relu(x) * torch.rand(())/' "$SCALE" >dice.py
sed 's/^def get_inputs/def get_input/' "$SCALE" >broken.py

expect 0 "$KFORGE" vet "$SCALE" --time --baselines eager --timing-budget-s 0.1 --json
check '[s["name"] for s in r["problems"][0]["baselines"]] == ["eager"]'
check 'all(0 < s["low"] <= s["ms"] <= s["high"] for s in r["problems"][0]["baselines"])'
check 'len(r["problems"][0]["baselines"][0]["samples_ms"]) >= 7'

expect 1 "$KFORGE" vet "$SCALE" dice.py broken.py --time --jobs 2 --baselines eager --precision mixed --timing-budget-s 0.1 --json
check '[p["state"] for p in r["problems"]] == ["ok", "random", "broken"]'
check '[[s["name"] for s in p["baselines"]] for p in r["problems"]] == [["eager", "half_eager"]] * 2 + [[]]'

expect 0 "$KFORGE" vet "$SCALE" --time --baselines eager --timing-budget-s 0.1
has "$out" 'eager ms'
expect 0 "$KFORGE" vet "$SCALE" --json
check '"baselines" not in r["problems"][0]'
error 2 'a number from 1 on is needed' "$KFORGE" vet "$SCALE" --time --jobs none
if ! command -v nvidia-smi >/dev/null; then
    error 3 'nothing can be timed' "$KFORGE" vet "$SCALE" --time --platform nvidia-cuda
fi
