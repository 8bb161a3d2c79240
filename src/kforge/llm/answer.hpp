// What all providers do with an answer once they have its bytes: clean, count, price, store. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "kforge/llm/provider.hpp"

namespace kforge {

// For a provider that gets text and nothing else: an LlmAnswer with clean text and estimated usage, or an
// LlmFailure (empty) with `if_blank` as its message.
LlmOutcome plain_answer(const Llm& llm, const LlmRequest& request, std::string_view bytes,
                        std::string_view if_blank);

long estimate_tokens(std::string_view text);  // four bytes a token, rounded up

// Whether a cost can be stated at all: the prices of input and output are known.
bool has_prices(const Llm& llm);
// Tokens read from or written to a cache cost what the entry says of them, else what input costs. A price
// that is not known counts as 0.
double cost_usd(const Llm& llm, const Usage& usage);

// The form of response.json.
nlohmann::json to_json(const LlmAnswer& answer);
Result<LlmAnswer> answer_from_json(const nlohmann::json& json);

}  // namespace kforge
