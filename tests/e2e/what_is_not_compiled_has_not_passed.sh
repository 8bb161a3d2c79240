# Without the device: what could not be compiled, or was never handed over, is not called compiled. On a made-up platform with g++.
. "$ROOT/tests/fixtures/e2e.sh"
platform="$XDG_DATA_HOME/kforge/platforms/nobody-runes"
mkdir -p "$platform/example"
cp "$SCALE" "$platform/example/reference.py" && cp "$FIX/candidates/correct.py" "$platform/example/kernel.py"
cp "$ROOT/platforms/shared/device_sources.py" "$platform/checker.py" && cp "$FIX/platforms/nobody-runes/guide.md" "$platform/"
echo 'struct Stone;' >"$platform/stone.h"
cat >"$platform/platform.toml" <<'END'
platform = { title = "Runes", vendor = "nobody", dialect = "runes", device = "cpu", language = "Runes" }
detect = { hint = "Carve one.", commands = [{ what = "device", run = ["cat", "/no/stone"] }] }
[[check]]
name = "carver"
reason = "compiled"
hint = "Learn."
checker = "checker.py"
targets = ["c++17", "c++98"]
command = ["g++", "-std={target}", "-c", "{includes}", "-o", "{output}", "{source}"]
options = { libraries = 'Stone' }
shims = { "stone.h" = "stone.h" }
END
# judge REASON TEXT CODE OPTION...: the verdict on a candidate that has CODE before its class.
judge() {
    { cat "$FIX/candidates/correct.py"; echo "$3"; } >candidate.py
    expect 1 "$KFORGE" eval candidate.py --problem "$SCALE" --platform nobody-runes --json "${@:4}"
    check "r['reason'] == '$1'" && has "$out" "$2"
}
inline() { echo "from torch.utils import cpp_extension; cpp_extension.load_inline('k', '', cuda_sources='''$1''', no_implicit_headers=True)"; }
kernel() { echo "torch.cuda._compile_kernel('''$1''', 'k')"; }
judge parsed 'only loaded and called without the device: carver was handed no code' ''
judge guardrail 'kernels of the candidate' '' --require kernels
judge compiled 'c++98: refused: ' "$(kernel 'int k() { auto x = 1; return x; }')" --require kernels
has "$out" 'passed without the device: carver. '
judge toolchain 'expected primary' "$(kernel 'int k( {')"
judge compiled 'for c++17 only, not c++98: ' "$(inline 'int k() { return 1; }')"
judge parsed 'c++17: not compiled, the header rune.h is not' "$(inline '#include <rune.h>'$'\n''nonsense')"
judge compiled 'stone.h is not on this machine: one with types' "$(inline '#include <stone.h>'$'\n''Stone* k;')"
judge toolchain 'nonsense' "$(inline '#include <stone.h>'$'\n''nonsense')"
judge parsed 'its names are used' "$(inline '#include <stone.h>'$'\n''int k() { return StoneWeight(); }')"
