# A journal that is torn is mended; one that is corrupt, foreign or of a newer KForge is told with its line.
. "$ROOT/tests/fixtures/e2e.sh"
answers rec "$FIX/candidates/wrong.py" "$FIX/candidates/correct.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 2 "${FAST[@]}" --out r
# damaged NAME SED: a copy of the run with an edited journal.
damaged() { rm -rf d && cp -r r d && sed -i "$1" d/journal.jsonl && cp d/journal.jsonl before; }
unchanged() { cmp d/journal.jsonl before; }
damaged '3s/.*/not json/'
error 2 'journal.jsonl:3' "$KFORGE" resume d && unchanged
error 2 'journal.jsonl:3' "$KFORGE" report d && unchanged
damaged '4d'
error 2 'event 5 stands where event 4 belongs' "$KFORGE" resume d && unchanged
damaged '1s/"version":1/"version":99/'
error 2 '99' "$KFORGE" resume d && unchanged
damaged '1s/.*/{"seq":1,"time":"x","event":"game_started"}/'
error 2 'journal.jsonl' "$KFORGE" resume d && unchanged
head -c 3000 /dev/urandom >d/journal.jsonl
error 2 'journal.jsonl' "$KFORGE" resume d
rm d/journal.jsonl
error 2 'no complete run' "$KFORGE" resume d
mkdir empty && error 2 'is not a run directory' "$KFORGE" resume empty
[ -z "$(ls -A empty)" ] || fail "a folder that is no run was written to"
damaged '1!d'
echo 'iterations = [' >d/run.toml
error 2 'run.toml:1' "$KFORGE" resume d
damaged 's/^//'
echo '{' >d/iterations/01/verdict.json
error 2 'iterations/01/verdict.json' "$KFORGE" resume d
damaged 's/^//' && rm d/problem.py
error 2 'there is no problem.py in it' "$KFORGE" resume d && unchanged

# Torn in the middle of a line, with half a file beside it: as if the last event had not been.
damaged '$d'
printf '{"seq":17,"ti' >>d/journal.jsonl
touch d/iterations/02/.candidate.py.1-2.tmp
expect 0 "$KFORGE" report d
expect 0 "$KFORGE" resume d --json
check 'r["status"] == "finished" and [i["state"] for i in r["iterations"]] == ["mismatch", "correct"]'
[ ! -e d/iterations/02/.candidate.py.1-2.tmp ] || fail "half a file is still there"
