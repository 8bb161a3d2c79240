# While one process works on a run another is told who does; reports may be read meanwhile.
. "$ROOT/tests/fixtures/e2e.sh"
printf '#!/bin/bash\ntouch asked\nwhile [ ! -e go ]; do sleep 0.1; done\ncat "$1"\n' >llm
chmod +x llm
"$KFORGE" run "$SCALE" --llm "command:./llm $FIX/candidates/correct.py" --strategy single "${FAST[@]}" --out r >first 2>&1 &
wait_until test -e asked
error 2 "in use by process $!" "$KFORGE" resume r
expect 0 "$KFORGE" report r --json
check 'r["status"] == "unfinished"'
touch go
wait $!
expect 0 "$KFORGE" resume r
