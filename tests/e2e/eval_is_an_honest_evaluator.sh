# kforge eval: one JSON object, exit status 0 only when every candidate is correct.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
expect 0 "$KFORGE" eval "$c/kernel.py" --problem "$SCALE" "${FAST[@]}" --json
check 'set(r) >= {"state", "reason", "evidence", "speedup", "same_permission_speedup", "timings", "error", "generality",
                  "guard", "vet"}'
check 'r["state"] == "correct" and r["reason"] is None and r["guard"] == [] and r["vet"]["state"] == "ok"'
check 'set(r["speedup"]) == {"value", "low", "high"}'
check 'set(r["timings"]["series"]) == {"candidate", "eager"} and r["timings"]["baseline"] == "eager"'
check 'all(len(s["samples_ms"]) >= 7 and s["median_ms"] > 0 for s in r["timings"]["series"].values())'
check 'r["error"]["candidate"] <= r["error"]["limit"] and r["error"]["policy"] == "strict"'
check '{g["variation"] for g in r["generality"]} >= {"batch 1", "strides transposed"}'
[ -z "$(ls -A)" ] || fail "eval left files: $(ls -A)"

expect 1 "$KFORGE" eval "$c/wrong.py" "$c/kernel.py" "$c/compile_error.py" --problem "$SCALE" "${FAST[@]}" --json
check '[x["state"] for x in r["results"]] == ["mismatch", "correct", "compilation_failure"]'
check 'r["results"][0]["speedup"] is None and r["results"][0]["timings"] is None'
check '"16384 of 16384" in r["results"][0]["evidence"]'
check 'r["results"][2]["reason"] == "toolchain" and "flot" in r["results"][2]["evidence"]'

# For a person, with a constant of the problem changed.
expect 0 "$KFORGE" eval "$c/kernel.py" --problem "$SCALE" --set rows=3 --sanitize "${FAST[@]}"
has "$out" "--sanitize is for NVIDIA's GPUs"
has "$out" 'speedup' && has "$out" 'over eager'
expect 1 "$KFORGE" eval "$c/wrong.py" --problem "$SCALE" --set rows=3 "${FAST[@]}"
has "$out" 'mismatch (values)' && has "$out" '[3, 256]'
