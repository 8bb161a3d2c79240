# The NVIDIA platforms open the GPU before they call it usable, and say what is wrong where that fails. The driver is a fake.
. "$ROOT/tests/fixtures/e2e.sh"
fake_driver

# wrong FAKE TEXT: where the driver does that, this is told.
wrong() {
    CUDA_FAKE=$1 expect 0 "$KFORGE" platforms show nvidia-cuda --json
    check 'not r["usable"] and r["missing"].startswith("device: ") and r["peaks"] is None'
    has "$out" "$2"
}
expect 0 "$KFORGE" platforms show nvidia-cuda --json
check '{"what": "device", "text": "NVIDIA H200"} in r["found"] and r["peaks"]["memory_gbs"] == 4800'
wrong 'cuInit 803' 'and its library (not known) differ'
wrong 'cuInit 802' 'nvidia-fabricmanager'
wrong 'cuInit 34' 'a stub to build with'
wrong 'cuInit 77' 'CUDA_ERROR_FAKE'
wrong 'cuDevicePrimaryCtxRetain 2' 'not even a context can be made'
wrong 'cuDevicePrimaryCtxRetain 46' 'another process has it for itself'
wrong '20 3' 'nvidia-smi -c DEFAULT'
wrong '133 1' 'CUDA_MPS_PIPE_DIRECTORY'
wrong '75 6' 'too old'
wrong 'free 1' 'only 1.0 of 140.0 GB'
if [ ! -e /dev/nvidia0 ]; then wrong 'cuInit 100' 'there is no /dev/nvidia0'; fi

# What the machine has is one thing, what KForge can evaluate on another.
CUDA_FAKE='free 1' expect 0 "$KFORGE" doctor nvidia-cuda --json
check 'not r["device"] and any("only 1.0 of 140.0 GB" in c["detail"] for c in r["checks"])'
mkdir -p toolkit/bin "$XDG_DATA_HOME/kforge"
install /bin/true toolkit/bin/compute-sanitizer
PATH=$PWD/toolkit/bin:$PATH expect 0 "$KFORGE" doctor nvidia-cuda --json
check 'any(c["name"] == "memory checker" and c["health"] == "ok" and "toolkit/bin" in c["detail"] for c in r["checks"])'
cp -r "$FIX/platforms" "$XDG_DATA_HOME/kforge/platforms"
platform="$XDG_DATA_HOME/kforge/platforms/nobody-runes"
mkdir "$platform/example"
cp "$SCALE" "$platform/example/reference.py" && cp "$FIX/candidates/correct.py" "$platform/example/kernel.py"
sed -i "s|STONE\"|$PWD/stone\"|; s|^device = .*|device = \"runes\"|" "$platform/platform.toml"
touch stone
expect 0 "$KFORGE" doctor nobody-runes --json
check 'not r["device"] and any("cannot be evaluated on" in c["detail"] for c in r["checks"])'
