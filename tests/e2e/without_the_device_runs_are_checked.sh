# A platform made up in data alone: without its device candidates are checked and the run waits; with it, resume
# evaluates them.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir -p "$XDG_DATA_HOME/kforge"
cp -r "$FIX/platforms" "$XDG_DATA_HOME/kforge/platforms"
platform="$XDG_DATA_HOME/kforge/platforms/nobody-runes"
mkdir "$platform/example"
cp "$SCALE" "$platform/example/reference.py" && cp "$FIX/candidates/correct.py" "$platform/example/kernel.py"
sed -i "s|STONE\"|$PWD/stone\"|" "$platform/platform.toml"

expect 0 "$KFORGE" platforms show nobody-runes --json
check 'not r["usable"] and r["hint"] == "Find a stone." and [c["available"] for c in r["checks"]] == [True, False]'
has "$out" 'Every stone is the same.'
expect 0 "$KFORGE" doctor nobody-runes --json
check 'not r["device"] and any(c["mend"] == "Find a stone." and c["health"] == "weak" for c in r["checks"])'
expect 1 "$KFORGE" eval "$FIX/candidates/correct.py" --problem "$SCALE" --platform nobody-runes --sanitize --json
check '(r["state"], r["reason"], r["speedup"], r["timings"]) == ("checked", "parsed", None, None)'
check 'any("--sanitize needs the platform" in promise for promise in r["open_promises"])'
has "$out" 'the chisel: not done' && has "$out" "reading: read ['stone'] with {'word': 'NewModel'}"
error 3 'not on this machine' "$KFORGE" profile "$FIX/candidates/correct.py" --problem "$SCALE" --platform nobody-runes

answers rec "$FIX/candidates/compile_error.py" "$FIX/candidates/correct.py" "$FIX/candidates/kernel.py"
expect 5 "$KFORGE" run "$SCALE" --platform nobody-runes --llm replay:rec -n 3 "${FAST[@]}" --out r --json
check '[i["state"] for i in r["iterations"]] == ["compilation_failure", "checked"] and r["status"] == "suspended"'
expect 5 "$KFORGE" resume r
has "$out" 'is not on this machine'

echo 'grey Granite, 3 feet' >stone
expect 0 "$KFORGE" platforms show nobody-runes --json
check 'r["usable"] and r["found"] == [{"what": "device", "text": "grey Granite, 3 feet"}] and r["peaks"]["memory_gbs"] == 7'
expect 0 "$KFORGE" resume r --json
check '[i["state"] for i in r["iterations"]] == ["compilation_failure", "correct", "correct"]'

# What the platform loads once, every candidate has.
(echo 'import runes'; cat "$FIX/candidates/correct.py") >carved.py
expect 0 "$KFORGE" eval carved.py --problem "$SCALE" --platform nobody-runes "${FAST[@]}" --json
check 'r["state"] == "correct"'
