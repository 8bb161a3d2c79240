# The demo of `make run`: a compile error, a wrong result, a correct slow kernel, and two faster ones.
. "$ROOT/tests/fixtures/e2e.sh"
demo=$(make -s -C "$ROOT" --eval 'print-demo: ; @echo "$(DEMO)"' print-demo)
read -ra words <<<"${demo//replay:/replay:$ROOT/}"
[ "${words[0]} ${words[1]}" = "build/kforge run" ] || fail "another demo: $demo"
expect 0 "$KFORGE" "${words[@]:1}" "${FAST[@]}" --out r --json
check '[(i["pass"], i["state"], i["reason"]) for i in r["iterations"]] == [
    ("first", "compilation_failure", "toolchain"), ("functional", "mismatch", "values"),
    ("functional", "correct", None), ("optimization", "correct", None), ("optimization", "correct", None)]'
check 'r["best_iteration"] == max((i["speedup"]["value"], i["iteration"]) for i in r["iterations"] if i["speedup"])[1]'
check 'all(g["outcome"] == "pass" for g in r["generality"])'
has r/iterations/02/prompt.md 'is not a member of'
has r/iterations/04/prompt.md 'Vectorize the GELU'
