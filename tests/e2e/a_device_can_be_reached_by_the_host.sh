# A platform whose device shares no memory with others, made up: inputs and outputs cross by the host's memory, and the verdict says
# what is not promised then. The device is the CPU, the rest is real.
. "$ROOT/tests/fixtures/e2e.sh"
platform="$XDG_DATA_HOME/kforge/platforms/made-up"
mkdir -p "$platform/example"
cp "$ROOT/platforms/cpu-cpp/guide.md" "$platform"
cp "$SCALE" "$platform/example/reference.py" && cp "$FIX/candidates/correct.py" "$platform/example/kernel.py"
cat >"$platform/platform.toml" <<TOML
platform = { title = "Made up", vendor = "nobody", dialect = "cpp", device = "cpu", language = "C++" }
detect = { hint = "none", commands = [{ what = "device", run = ["echo", "a thing"] }] }
access = { files = ["/dev/full", "/dev/no-such-file"], readable = ["/sys/class", "/sys/devices"], environment = ["MADE_UP_*"] }
TOML
cat >sees.py <<PYTHON
import os
import torch
assert os.environ["MADE_UP_NAME"] == "thing" and "OTHER_NAME" not in os.environ
assert os.path.isdir("/sys/class") and open("/dev/full", "wb")
$(sed 's/NewModel/_Correct/' "$FIX/candidates/correct.py")
class NewModel(_Correct):
    pass
PYTHON
sed 's/return \(.*\)/y = \1; x.zero_(); return y/' "$FIX/candidates/correct.py" >changes.py
sed 's/NewModel/ModelNew/' "$FIX/candidates/correct.py" >seeded.py
export MADE_UP_NAME=thing OTHER_NAME=other
candidates=("$FIX/candidates/correct.py" "$FIX/candidates/wrong.py" sees.py changes.py seeded.py)
expect 1 "$KFORGE" eval "${candidates[@]}" --problem "$SCALE" --platform made-up "${FAST[@]}" --json
check '[one["state"] for one in r["results"]] == ["correct", "mismatch", "correct", "disqualified", "correct"]'
check '"an input was changed" in r["results"][3]["evidence"]'
check 'r["results"][0]["timings"]["series"]["candidate"]["samples_ms"] and r["results"][0]["speedup"]["low"] > 0 and r["results"][0]["timings"]["cold"]["speedup"] is None'
check 'any("memory of this device cannot be shared" in promise for promise in r["results"][0]["open_promises"])'
# Without [access] nobody knows how to get there.
sed -i '/^access/d; s/device = "cpu"/device = "thing"/' "$platform/platform.toml"
expect 0 "$KFORGE" platforms show made-up
has "$out" 'does not say how players reach it'
