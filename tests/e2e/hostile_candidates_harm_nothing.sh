# Candidates that print megabytes, leave processes behind, exit, crash, hang, eat memory or fork without end: a
# verdict each, in one arena, and a good candidate after them is judged as if nothing had been.
. "$ROOT/tests/fixtures/e2e.sh"
# hostile NAME STATEMENT: what it does when it is called.
hostile() { sed "s|        return .*|        $2\n        return torch.relu(x) * self.scale + 1.0|" "$FIX/candidates/correct.py" >"$1.py"; }
spawn="import subprocess; subprocess.Popen(['sleep', '8$$'], start_new_session=True)"
hostile prints "print('chatter ' * 400000)"
hostile leaves "$spawn"
hostile exits 'import os; os._exit(0)'
hostile quits 'import sys; sys.exit(0)'
hostile crashes 'import ctypes; ctypes.string_at(0)'
hostile hangs "$spawn; import time; time.sleep(8$$)"
hostile eats "self.hoard = torch.ones(1 << 31)"
hostile bombs 'import os\n        while True: os.fork()'
hostile kills 'import os; os.kill(os.getppid(), 9); os.kill(1, 9); os.kill(-1, 9)'
names=(prints leaves exits quits crashes hangs eats bombs kills)
expect 1 "$KFORGE" eval "${names[@]/%/.py}" "$FIX/candidates/correct.py" --problem "$SCALE" "${FAST[@]}" --json \
    --call-limit-s 5 --memory-limit-mb 4096
wait_until gone "sleep 8$$"
check 'len(r["results"]) == 10 and r["results"][9]["state"] == "correct"'
check '{x["candidate"]: x["reason"] for x in r["results"]}["crashes.py"] == "crash"'
check 'all("SIGSEGV" in x["evidence"] for x in r["results"] if x["candidate"] == "crashes.py")'
check '[x["reason"] for x in r["results"] if x["candidate"] in ("hangs.py", "eats.py")] == ["timeout", "out_of_memory"]'
check 'all(x["state"] == "runtime_error" for x in r["results"][2:7])'
check '{x["state"] for x in r["results"]} <= {"correct", "runtime_error", "disqualified"}'
check 'r["results"][0]["state"] == "correct" and 100 < len(r["results"][0]["output"]) < 20000'
check 'all(x["evidence"] and len(x["evidence"]) < 6000 for x in r["results"])'
