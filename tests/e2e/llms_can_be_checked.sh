# kforge llms: built-in entries with keys and prices, one in full, and a tiny question to see that one answers.
. "$ROOT/tests/fixtures/e2e.sh"
export ANTHROPIC_API_KEY=sk-planted-secret-1234
expect 0 "$KFORGE" llms --json
check 'all(l["facts_date"] for l in r["llms"] if l["provider"] in ("anthropic", "openai-responses", "gemini"))'
check '{l["name"]: l["key_present"] for l in r["llms"]}["claude-opus-5-5"]'
check '[l for l in r["llms"] if l["name"] == "openrouter"][0]["usd_per_million_input"] is None'
has_not "$out" planted
expect 0 "$KFORGE" llms
has "$out" 'unknown' && has "$out" 'OPENAI_API_KEY is not set' && has "$out" 'present' && has_not "$out" planted
expect 0 "$KFORGE" llms show claude-opus-5-5
has "$out" '2026-' && has "$out" 'cache write' && has_not "$out" planted
expect 0 "$KFORGE" doctor
has "$out" 'LLM keys' && has "$out" 'ANTHROPIC_API_KEY' && has_not "$out" planted
expect 0 "$KFORGE" doctor --config <(echo 'llm = "gpt-6-luna"')
has "$out" 'set OPENAI_API_KEY before a run with gpt-6-luna'

expect 0 "$KFORGE" llms check 'command:tr a-z A-Z' --json
check 'r["answered"] and "READY" in r["answer"]["text"] and r["seconds"] >= 0 and r["tokens"]["input"] > 0'
check 'not r["priced"]'
expect 0 "$KFORGE" llms check 'command:tr a-z A-Z'
has "$out" 'READY' && has "$out" 'cost    unknown'
expect 1 "$KFORGE" llms check 'command:sh -c "echo no such id >&2; exit 1"' --json
check 'r["reason"] == "network" and "no such id" in r["message"]'
expect 5 "$KFORGE" llms check "mailbox:$PWD/box"
error 3 'no-such-program' "$KFORGE" llms check command:./no-such-program
error 2 "there is no LLM 'claud'" "$KFORGE" llms check claud
error 2 'check what?' "$KFORGE" llms check
error 2 "'chek' is nothing that kforge llms does" "$KFORGE" llms chek mailbox
