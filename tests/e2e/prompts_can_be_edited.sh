# Text appended or put in place of the prompt, for all or given iterations, from the command line or a file.
. "$ROOT/tests/fixtures/e2e.sh"
c="$FIX/candidates"
answers rec "$c/wrong.py" "$c/correct.py" "$c/kernel.py"
printf 'Tiles of 32 for iteration {{ iteration }}.\n' >tiles.md
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 3 "${FAST[@]}" --out r --prompt-append 'ALWAYS SAID' \
    --prompt-append '@tiles.md@2-' --prompt-override 'ONLY THIS for {{ problem.name }}@3'
for i in 01 02; do has "r/iterations/$i/prompt.md" 'ALWAYS SAID' && has "r/iterations/$i/prompt.md" 'class Model'; done
has_not r/iterations/01/prompt.md 'Tiles of 32'
has r/iterations/02/prompt.md 'Tiles of 32 for iteration'
has r/iterations/03/prompt.md 'ONLY THIS for'
has_not r/iterations/03/prompt.md 'class Model(nn.Module)'

expect 0 "$KFORGE" prompt "$SCALE" --prompt-append 'SHOWN TOO' --json
check '"SHOWN TOO" in r["prompt"] and "class Model(nn.Module)" in r["prompt"] and "float32 [64, 256]" in r["prompt"]'

# Templates of one's own come before the built-in ones.
mkdir own && echo 'Dear LLM, {{ problem.name }} on {{ platform.device }}, please.' >own/generation.md.j2
expect 0 "$KFORGE" prompt "$SCALE" --prompts own
has "$out" 'on cpu, please.'
echo 'Dear LLM, {{ problem.nmae }}.' >own/generation.md.j2
error 2 'generation.md.j2:1' "$KFORGE" prompt "$SCALE" --prompts own
has "$err" "no 'nmae'; it has: inputs, name"
error 2 'generation.md.j2:1' "$KFORGE" run "$SCALE" --llm replay:rec --prompts own "${FAST[@]}" --out t
error 2 'no-such-file' "$KFORGE" run "$SCALE" --llm replay:rec --prompt-append '@no-such-file'
error 2 'no-such-folder' "$KFORGE" run "$SCALE" --llm replay:rec --prompts no-such-folder
