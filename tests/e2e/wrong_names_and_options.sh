# What cannot be meant is told with what is near, as usage (2), and leaves nothing behind.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates/correct.py"
error 2 "cpu-cp" "$KFORGE" run "$SCALE" --llm mailbox --platform cpu-cp
has "$err" 'cpu-cpp'
error 2 "mailbx" "$KFORGE" run "$SCALE" --llm mailbx
has "$err" 'mailbox'
error 2 "itertions" "$KFORGE" run "$SCALE" --itertions 3
has "$err" '--iterations'
error 2 'rnu' "$KFORGE" rnu
has "$err" 'run'
error 2 'no LLM is named' "$KFORGE" run "$SCALE"
error 2 'no problem is named' "$KFORGE" run --llm mailbox
error 2 'no problem is named' "$KFORGE" eval "$c"
error 2 'rmsnrm' "$KFORGE" run rmsnrm --llm mailbox
has "$err" 'rmsnorm'
error 2 'no-such-file.py' "$KFORGE" eval no-such-file.py --problem "$SCALE"
error 2 'no-such-problem.py' "$KFORGE" eval "$c" --problem no-such-problem.py
error 2 'iterations' "$KFORGE" run "$SCALE" --llm mailbox -n 0
error 2 'iterations' "$KFORGE" run "$SCALE" --llm mailbox -n many
error 2 'precision' "$KFORGE" run "$SCALE" --llm mailbox --precision sloppy
error 2 'replay' "$KFORGE" run "$SCALE" --llm replay:no-such-folder "${FAST[@]}" --out kept
error 2 'no-such-run' "$KFORGE" resume no-such-run
error 2 'no-such-run' "$KFORGE" report no-such-run
error 2 'command' "$KFORGE" run "$SCALE" --llm command:
error 2 'COLUMNS' "$KFORGE" run "$SCALE" --llm mailbox --set COLUMNS=3
error 2 'show what' "$KFORGE" platforms show
head -c 4096 /dev/urandom >binary.py
error 2 'binary.py is not a text file in UTF-8' "$KFORGE" run binary.py --llm mailbox
error 2 'binary.py is not a text file in UTF-8' "$KFORGE" eval binary.py --problem "$SCALE"
error 2 'binary.py is not a text file in UTF-8' "$KFORGE" vet binary.py
error 2 'kforge' "$KFORGE" eval "$c" --problem "$SCALE" --llm mailbox
[ "$(ls -A)" = "$(printf 'binary.py\nkept')" ] || fail "left behind: $(ls -A)"
error 2 'already holds a run' "$KFORGE" run "$SCALE" --llm mailbox --out kept
