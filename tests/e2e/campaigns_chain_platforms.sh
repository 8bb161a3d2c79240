# A chain: each platform's run starts when the one before it is over, from its kernel; without one where there is none.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir -p "$XDG_DATA_HOME/kforge"
cp -r "$FIX/platforms" "$XDG_DATA_HOME/kforge/platforms"
platform="$XDG_DATA_HOME/kforge/platforms/nobody-runes"
mkdir "$platform/example"
cp "$SCALE" "$platform/example/reference.py" && cp "$FIX/candidates/correct.py" "$platform/example/kernel.py"
sed -i "s|STONE\"|$PWD/stone\"|" "$platform/platform.toml"
cp -r "$platform" "${platform%runes}glyphs"
answers good "$FIX/candidates/correct.py"
answers bad "$FIX/candidates/wrong.py"
cat >c.toml <<TOML
campaign = {problems = ["$SCALE"], chain = ["cpu-cpp", "nobody-runes", "nobody-glyphs"], llms = ["replay:good"], jobs = 3, out = "g"}
run = {strategy = "single", baselines = ["eager"], timing_budget_s = 0.2}
TOML
expect 0 "$KFORGE" campaign c.toml --dry-run
has "$out" 'after 01-scale-cpu-cpp-replay'
expect 0 "$KFORGE" campaign c.toml --json
check '[p["state"] for p in r["plan"]] == ["correct", "checked", "checked"] and r["geometric_mean"]["all"]["runs"] == 1'
has "$err" '02-scale-nobody-runes-replay: starts from the kernel of 01-scale-cpu-cpp-replay'
# What was only checked is no kernel to start from: the nearest correct one is.
has "$err" '03-scale-nobody-glyphs-replay: starts from the kernel of 01-scale-cpu-cpp-replay'
has g/03-scale-nobody-glyphs-replay/iterations/01/prompt.md 'A working kernel for the platform cpu-cpp'

sed 's/good/bad/' c.toml >b.toml
expect 1 "$KFORGE" campaign b.toml -o b --json
check '[p["state"] for p in r["plan"]] == ["none correct", "checked", "checked"]'
has "$err" 'it starts without one' && has_not b/02-scale-nobody-runes-replay/iterations/01/prompt.md 'A working kernel'
expect 0 "$KFORGE" report b
[ "$(grep -c ' checked ' "$out"),$(grep -c ' none correct ' "$out")" = 2,1 ] || fail 'what was checked is not called that'
# The suspended one is waited for; with the device there, what was checked is evaluated.
sed 's/replay:good/mailbox/; s/"g"/"m"/' c.toml >m.toml
expect 5 "$KFORGE" campaign m.toml --json
check '[p["state"] for p in r["plan"]] == ["suspended", "not started", "not started"]'
echo 'grey Granite, 3 feet' >stone
expect 0 "$KFORGE" resume g --json
check '[p["state"] for p in r["plan"]] == ["correct"] * 3 and r["geometric_mean"]["all"]["runs"] == 3'
