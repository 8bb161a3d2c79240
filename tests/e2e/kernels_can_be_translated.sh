# A kernel of another platform goes into the prompt with a note on how the two dialects differ; the best of a run likewise.
. "$ROOT/tests/fixtures/e2e.sh"
cuda="$ROOT/platforms/nvidia-cuda/example/kernel.py"
expect 0 "$KFORGE" prompt "$SCALE" --platform nvidia-triton --reference-kernel "$cuda:nvidia-cuda"
has "$out" 'A working kernel for the platform nvidia-cuda'
has "$out" 'How the two differ:' && has "$out" '| `blockIdx.x` | `tl.program_id(0)` |'
expect 0 "$KFORGE" prompt "$SCALE" --platform amd-hip --reference-kernel "$cuda:nvidia-cuda"
has "$out" '`__ballot` gives 64 bits'
# There is a note for every two platforms that KForge has: all kernels at once into the prompt for each.
names=() kernels=()
for file in "$ROOT"/platforms/*/platform.toml; do
    names+=("$(basename "$(dirname "$file")")")
    kernels+=(--reference-kernel "$cuda:${names[-1]}")
done
for name in "${names[@]}"; do
    expect 0 "$KFORGE" prompt "$SCALE" --platform "$name" "${kernels[@]}"
    [ "$(grep -c '^How the two differ:$' "$out")" = $((${#names[@]} - 1)) ] || fail "a note for $name is missing"
done
# For the same platform, and for a word that is none, the kernel stands alone.
for name in cpu-cpp somewhere; do
    expect 0 "$KFORGE" prompt "$SCALE" --reference-kernel "$cuda:$name"
    has "$out" "the platform $name" && has_not "$out" 'How the two differ:'
done
# A slip of the pen is told by all that show kernels, a missing name by all that know the option.
error 2 "did you mean 'nvidia-cuda'?" "$KFORGE" prompt "$SCALE" --reference-kernel "$cuda:nvidia-cudaa"
error 2 "did you mean 'nvidia-cuda'?" "$KFORGE" run "$SCALE" --llm mailbox --reference-kernel "$cuda:nvida-cuda" --out s
for command in "prompt $SCALE" "run $SCALE --llm mailbox --out s" "run $SCALE --llm mailbox --dry-run"; do
    error 2 'names no platform after the colon' "$KFORGE" $command --reference-kernel "$cuda:"
done
[ ! -e s ] || fail 'a run was begun'

answers rec "$FIX/candidates/correct.py"
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec --strategy single "${FAST[@]}" --out r
expect 0 "$KFORGE" prompt "$SCALE" --platform apple-metal --reference-from r
has "$out" 'A working kernel for the platform cpu-cpp' && has "$out" "$(grep -m1 'return ' r/best/candidate.py)"
error 2 'no run with a correct candidate' "$KFORGE" run "$SCALE" --llm mailbox --reference-from rec --out s
expect 5 "$KFORGE" run "$SCALE" --llm mailbox --reference-from r --out s
has s/mailbox/001.prompt.md 'A working kernel for the platform cpu-cpp'
test -e s/reference-kernels/0-candidate.py || fail 'the kernel is not frozen into the run'
