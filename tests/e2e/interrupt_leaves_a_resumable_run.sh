# Ctrl-C while an LLM is asked, while a candidate is evaluated and while a hook runs: exit 130, no process is
# left, and resume goes on without asking again for what was answered.
. "$ROOT/tests/fixtures/e2e.sh"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
echo "$KFORGE_AGENT-$KFORGE_ITERATION" >>calls
[ -e quick ] || { touch "$MARK/asked"; sleep "7$MARK_NUMBER"; }
cat "$CANDIDATE"
SCRIPT
printf '#!/bin/bash\n[ -e "$MARK/quick-hook" ] || { touch "$MARK/hooked"; sleep "7$MARK_NUMBER"; }\necho {}\n' >hook
chmod +x llm hook
sed "s/def forward(self, x):/&\n        import subprocess; subprocess.run(['sleep', '7$$'])/" "$FIX/candidates/correct.py" >sleeps.py
export CANDIDATE="$PWD/sleeps.py" MARK="$PWD" MARK_NUMBER=$$

# interrupt CONDITION COMMAND...: SIGINT once the condition holds, as a terminal sends it: to the whole group.
interrupt() {
    local condition=$1 pid status=0
    shift
    setsid "$PYTHON" -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
        "$@" >"$out" 2>"$err" &
    pid=$!
    wait_until eval "$condition"
    kill -INT -- "-$pid"
    wait "$pid" || status=$?
    [ "$status" = 130 ] || fail "exit status $status after SIGINT"
    has "$err" 'kforge resume' && wait_until gone "sleep 7$$" && wait_until gone "$KFORGE_DATA"
}
interrupt '[ -e asked ]' "$KFORGE" run "$SCALE" --llm command:./llm --strategy single "${FAST[@]}" --call-limit-s 2 --hook ./hook --out r
touch quick
interrupt 'pgrep -f "sleep 7$$" >/dev/null' "$KFORGE" resume r
interrupt '[ -e hooked ]' "$KFORGE" resume r --json
touch quick-hook
expect 1 "$KFORGE" resume r --json
check 'r["status"] == "finished" and len(r["iterations"]) == 1'
[ "$(wc -l <calls)" = 2 ] || fail "calls: $(cat calls)"
