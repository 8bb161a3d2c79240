// One tiny question to an LLM, to see that address, key and id are right, and what an answer takes.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kforge/llm/provider.hpp"
#include "kforge/util/errors.hpp"

namespace kforge {

struct LlmCheck {
    Llm llm;
    LlmOutcome outcome;
    double seconds = 0;
    std::optional<double> first_text_s;  // not known when the provider does not stream
};

// An Error where the LLM could not be asked at all: a missing key, a program that cannot be started.
Result<LlmCheck> check_llm(const Llm& llm, const std::function<void(std::string_view)>& on_text,
                           const std::function<void(std::string_view)>& on_note);

nlohmann::json to_json(const LlmCheck& check);
std::vector<std::vector<std::string>> rows_of(const LlmCheck& check);
ExitCode exit_code_of(const LlmCheck& check);

}  // namespace kforge
