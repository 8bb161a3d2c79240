# Files and folders for all or for given iterations: in the prompt, and importable in the jail.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir -p parts/deep
echo 'OFFSET = 1.0  # auxiliary file' >parts/numbers_aux.py
echo 'def shift(x, y): return x + y  # auxiliary folder' >parts/deep/shifting.py
touch parts/deep/__init__.py
sed -e '1i import deep.shifting\nimport numbers_aux' \
    -e 's/return .*/return deep.shifting.shift(torch.relu(x) * self.scale, numbers_aux.OFFSET)/' \
    "$FIX/candidates/correct.py" >candidate.py
expect 0 "$KFORGE" eval candidate.py --problem "$SCALE" --aux parts/numbers_aux.py --aux parts/deep "${FAST[@]}"
answers rec candidate.py candidate.py
expect 0 "$KFORGE" run "$SCALE" --llm replay:rec -n 2 "${FAST[@]}" --out r --json \
    --aux parts/numbers_aux.py --aux parts/deep/@2-
check '[(i["state"], i["reason"]) for i in r["iterations"]] == [("compilation_failure", "import"), ("correct", None)]'
has r/iterations/01/prompt.md '# auxiliary file'
has_not r/iterations/01/prompt.md '# auxiliary folder'
has r/iterations/02/prompt.md '# auxiliary folder'
has r/iterations/02/prompt.md 'deep/shifting.py'
has r/iterations/02/prompt.md "No module named 'deep'"
error 2 'parts/nothing.py' "$KFORGE" run "$SCALE" --llm replay:rec --aux parts/nothing.py --out x
error 2 '0-x' "$KFORGE" run "$SCALE" --llm replay:rec --aux parts@0-x --out x
[ ! -e x ] || fail "a run was made all the same"
mkdir mine
error 2 'would hold the run directory' "$KFORGE" run "$SCALE" --llm replay:rec --aux . --out mine/r
[ ! -e mine/r ] || fail "a run was made inside what it copies"
