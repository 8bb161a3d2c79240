// Asking an LLM on behalf of a run: every request and answer is stored before anything else happens, so that
// an answered call is never made twice, whenever the process dies.
#pragma once

#include <string>
#include <variant>

#include "kforge/agents/agents.hpp"
#include "kforge/store/run_directory.hpp"

namespace kforge {

// Where one agent keeps its files in an iteration: "" for generation, "analysis/" for analysis.
std::string agent_folder(const std::string& agent);

// The answer that lies in the run directory, if there is one.
std::optional<LlmOutcome> stored_answer(const RunDirectory& run, int iteration, const std::string& agent);

// Writes prompt.md and request.json. The prompt is stored before it is sent.
Result<void> store_prompt(RunDirectory& run, int iteration, const std::string& agent, const Llm& llm,
                          const Prompt& prompt);
Result<Prompt> load_prompt(const RunDirectory& run, int iteration, const std::string& agent);

// The form of response.json. A pending outcome has none.
nlohmann::json response_json(const LlmOutcome& outcome);

// Writes response.json and response.md and journals the answer with its cost and the `more` fields. A pending
// outcome stores nothing.
Result<void> store_outcome(RunDirectory& run, int iteration, const std::string& agent,
                           const LlmOutcome& outcome, nlohmann::json more = nlohmann::json::object());

// What the answered calls of a run have used, from its journal.
Usage total_usage(const RunDirectory& run);
long answered_calls(const RunDirectory& run);
// How long the run had been worked on when the last of them was answered, all sittings together.
double worked_seconds(const RunDirectory& run);

}  // namespace kforge
