// One call of an HTTP provider: requests, retries, a continuation, until there is an outcome. Internal to
// make_http_provider(); thread-safe as long as each call has its own.
#pragma once

#include <mutex>

#include "kforge/llm/dialect.hpp"
#include "kforge/llm/exchange.hpp"
#include "kforge/llm/limiter.hpp"

namespace kforge {

// Parameters that a server has refused, kept between the calls of a provider so that each is refused once.
class RefusedParameters {
  public:
    std::set<std::string> of(const Llm& llm) const;
    void add(const Llm& llm, const std::string& parameter);

  private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::set<std::string>> m_refused;
};

Result<LlmOutcome> call_http_llm(const Dialect& dialect, const Llm& llm, const LlmRequest& request,
                                 const LlmCall& call, RefusedParameters& refused);

// What became of an answer that has come whole: text, a refusal, nothing.
LlmOutcome outcome_of(const Llm& llm, const Key& key, Reply reply);

// Usage as the API counts it, or else estimated from the texts; without a price.
Usage usage_of(const LlmRequest& request, const Reply& reply);
Usage sum(const Usage& a, const Usage& b);

// Errors that stop a run: what was refused, by whom, and what to do.
Error refused_error(const Llm& llm, const Key& key, int status, const ApiError& error);

Result<std::vector<std::string>> images_in_base64(const LlmRequest& request);

}  // namespace kforge
