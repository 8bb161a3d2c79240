// Parameters that servers have refused, and how a refusal is told from other errors.
#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

#include "kforge/llm/dialect.hpp"

namespace kforge {

// Kept between the calls of a provider, so that each parameter is refused once. Thread-safe.
class RefusedParameters {
  public:
    std::set<std::string> of(const Llm& llm) const;
    bool add(const Llm& llm, const std::string& parameter);  // false: it was known

  private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::set<std::string>> m_refused;
};

// The parameter that the error complains of, if it stands in the body of `request` and is one that the
// request can do without.
std::optional<std::string> refused_parameter(const Dialect& dialect, const Llm& llm,
                                             const LlmRequest& request, const Asking& asking,
                                             const ApiError& error);

// "x does not take temperature (...)": for a note.
std::string refusal_text(const Llm& llm, const std::string& parameter, const ApiError& error);

}  // namespace kforge
