# A problem that cannot be used: one message that says what and where, exit 2, and no LLM is asked.
. "$ROOT/tests/fixtures/e2e.sh"
mkdir suite
bad() { sed "$2" "$SCALE" >"suite/$1.py"; }
bad 01_module '1i import no_such_module_at_all'
bad 02_syntax '1i def def'
bad 03_line 's/^rows = .*/rows = 1 \/ 0/'
bad 04_model 's/class Model/class Modell/'
bad 05_init 's/get_init_inputs/get_inits/'
bad 06_text 's/return torch.relu.*/return "no tensor"/'
bad 07_numbers 's/return \[torch.randn.*/return [1, 2]/'
bad 08_bare 's/return \[torch.randn.*/return torch.randn(3)/'
bad 09_class 's/class Model(nn.Module):/class Model:/'
bad 10_arguments 's/return \[features\]/return []/'
bad 11_shape 's/torch.randn(rows, features)/torch.randn(rows, 7)/'
bad 12_huge 's/torch.randn(rows, features)/torch.rand(10**7, 10**5)/'
bad 13_exit '1i import sys; sys.exit(0)'
expect 1 "$KFORGE" vet suite --json
check 'len(r["problems"]) == 13 and all(p["state"] == "broken" for p in r["problems"])'
check 'all(text in p["evidence"] and p["problem"][-8:] in p["evidence"] for p, text in zip(r["problems"], [
    "does not import: ModuleNotFoundError", "does not import: SyntaxError", "line 15", "does not define Model",
    "does not define get_init_inputs", "forward() returns str", "get_inputs() returns no tensor",
    "get_inputs() returns Tensor, not a list", "Model is not a torch.nn.Module", "failed: TypeError",
    "failed: RuntimeError", "more memory than there is", "does not import: SystemExit"]))'

# One that the referee fails at stops no other.
bad 14_referee '1i import sys; sys.modules["kforge_arena.tensors"].layout = None'
expect 4 "$KFORGE" vet suite/14_referee.py "$SCALE" suite/07_numbers.py --json
check '[p["state"] for p in r["problems"]] == ["failed", "ok", "broken"]'
check '"the referee failed: TypeError" in r["problems"][0]["evidence"]'

# So say run and eval; nobody is asked, nothing is left to resume.
printf '#!/bin/bash\ntouch asked\n' >llm && chmod +x llm
for problem in 06_text 12_huge; do
    error 2 "$problem" "$KFORGE" run "suite/$problem.py" --llm command:./llm "${FAST[@]}" --out "run-$problem"
    has_not "$err" 'kforge resume'
    [ ! -e "run-$problem" ] || fail "an empty run is left behind"
done
error 2 'forward() returns str' "$KFORGE" eval "$FIX/candidates/correct.py" --problem suite/06_text.py
[ ! -e asked ] || fail "an LLM was asked"
