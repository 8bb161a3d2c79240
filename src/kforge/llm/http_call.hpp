// One call of an HTTP provider: requests, retries, a continuation, until there is an outcome. Internal to
// make_http_provider(); thread-safe as long as each call has its own.
#pragma once

#include "kforge/llm/dialect.hpp"
#include "kforge/llm/exchange.hpp"
#include "kforge/llm/limiter.hpp"
#include "kforge/llm/refused_parameters.hpp"

namespace kforge {

Result<LlmOutcome> call_http_llm(const Dialect& dialect, const Llm& llm, const LlmRequest& request,
                                 const LlmCall& call, RefusedParameters& refused);

// Asks for the rest of an answer that was cut off, by a batch say, where the budget allows it. `first` has
// its price already.
Result<LlmOutcome> continue_http_llm(const Dialect& dialect, const Llm& llm, const LlmRequest& request,
                                     const LlmCall& call, RefusedParameters& refused, LlmAnswer first);

// What became of an answer that has come whole: text, a refusal, nothing.
LlmOutcome outcome_of(const Llm& llm, const Key& key, Reply reply);

// Usage as the API counts it, or else estimated from the texts; without a price.
Usage usage_of(const LlmRequest& request, const Reply& reply);
Usage sum(const Usage& a, const Usage& b);

// Errors that stop a run: what was refused, by whom, and what to do.
Error refused_error(const Llm& llm, const Key& key, int status, const ApiError& error);

Result<std::vector<std::string>> images_in_base64(const LlmRequest& request);

}  // namespace kforge
