# The disk fills up, or cannot be written at all: exit 3, one message, and the run goes on once there is room.
if [ -z "${INSIDE:-}" ]; then  # in a mount namespace of its own
    user=() && [ "$(id -u)" = 0 ] || user=(--map-root-user)
    unshare "${user[@]}" -m true 2>/dev/null || { echo '[SKIP] no right to mount a small disk'; exit 77; }
    INSIDE=1 exec unshare "${user[@]}" -m bash "$0"
fi
. "$ROOT/tests/fixtures/e2e.sh"
mkdir disk && mount -t tmpfs -o size=1m tmpfs disk || skip "cannot mount a small disk"
cat >llm <<'SCRIPT'
#!/bin/bash
cat >/dev/null
echo "$KFORGE_ITERATION" >>calls
[ -e mended ] || [ "$KFORGE_ITERATION" = 1 ] || head -c 2000000 /dev/zero >disk/filler 2>/dev/null
cat "$CANDIDATES/$([ "$KFORGE_ITERATION" = 1 ] && echo wrong || echo correct).py"
SCRIPT
chmod +x llm
export CANDIDATES="$FIX/candidates"
error 3 'No space left on device' "$KFORGE" run "$SCALE" --llm command:./llm -n 2 "${FAST[@]}" --out disk/r --json
has "$err" 'kforge resume disk/r'
# The answer that was paid for went to another disk, and the message says how it comes back.
back=$(sed -n 's/.*when there is room, \(mv .*\)/\1/p' "$err")
check 'r["error"]["code"] == 3'
cp disk/r/journal.jsonl before
error 3 'No space left on device' "$KFORGE" resume disk/r
[ "$(wc -l <before)" -le "$(wc -l <disk/r/journal.jsonl)" ] || fail "events were lost"
expect 0 "$KFORGE" report disk/r
error 3 'No space left on device' "$KFORGE" run "$SCALE" --llm command:./llm "${FAST[@]}" --out disk/second
rm disk/filler && touch mended && $back
expect 0 "$KFORGE" resume disk/r --json
check 'r["status"] == "finished" and [i["state"] for i in r["iterations"]] == ["mismatch", "correct"]'
[ "$(tr '\n' ' ' <calls)" = '1 2 ' ] || fail "calls: $(cat calls)"

mount -o remount,bind,ro disk || skip "cannot make the disk read-only"
error 3 'Read-only file system' "$KFORGE" resume disk/r
error 3 'Read-only file system' "$KFORGE" run "$SCALE" --llm mailbox --out disk/third
expect 0 "$KFORGE" report disk/r
(cd disk && error 3 'Read-only file system' "$KFORGE" init)
error 3 '/proc/kforge-run' "$KFORGE" run "$SCALE" --llm mailbox --out /proc/kforge-run
