# Live progress with colours on a terminal, plain lines elsewhere, nothing with --quiet, JSON alone on stdout.
. "$ROOT/tests/fixtures/e2e.sh"
answers rec "$FIX/candidates/correct.py"
run=("$KFORGE" run "$SCALE" --llm replay:rec --strategy single "${FAST[@]}")
expect 0 "${run[@]}" --out plain
has "$err" 'iteration 1/1: building, checking and timing'
has "$out" 'best/candidate.py' && has "$out" 'correct'
has_not "$err" $'\x1b' && has_not "$out" $'\x1b'
expect 0 "${run[@]}" --out quiet --quiet
[ ! -s "$err" ] || fail "--quiet says something"
has "$out" 'best/candidate.py'
expect 0 "${run[@]}" --out json --json --quiet
check 'r["state"] == "correct"'
"$KFORGE" report plain | head -n 1 >first || fail "a closed pipe is a failure"
error 3 'standard output' bash -c '"$0" report plain >/dev/full' "$KFORGE"

command -v script >/dev/null || skip "no program 'script' to make a terminal"
on_terminal() { TERM=xterm-256color script -qec "stty cols 100; ${run[*]} $1" typescript >/dev/null </dev/null; }
on_terminal '--out tty'
has typescript $'\x1b[32m' && has typescript $'\r\x1b[2K' && has typescript 'iteration 1/1'
has typescript 'building, checking and timing'
NO_COLOR=1 on_terminal '--out tty2'
has typescript $'\r\x1b[2K' && has_not typescript $'\x1b[32m'
on_terminal '--out tty3 --no-color --quiet'
has_not typescript $'\x1b[' && has typescript 'best/candidate.py'
