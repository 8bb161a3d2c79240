#include "kforge/llm/refused_parameters.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/llm/api_error.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string entry_identity(const Llm& llm) {
    return llm.base_url + "\n" + llm.id;
}

}  // namespace

std::set<std::string> RefusedParameters::of(const Llm& llm) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_refused.find(entry_identity(llm));
    return found == m_refused.end() ? std::set<std::string>() : found->second;
}

bool RefusedParameters::add(const Llm& llm, const std::string& parameter) {
    const std::lock_guard lock(m_mutex);
    return m_refused[entry_identity(llm)].insert(parameter).second;
}

std::optional<std::string> refused_parameter(const Dialect& dialect, const Llm& llm,
                                             const LlmRequest& request, const Asking& asking,
                                             const ApiError& error) {
    const nlohmann::json body = dialect.body(llm, request, asking);
    std::vector<Dialect::Optional> sent;
    for (const Dialect::Optional& optional : dialect.optionals()) {
        Asking without = asking;
        if (without.dropped.insert(optional.parameter).second && dialect.body(llm, request, without) != body)
            sent.push_back(optional);
    }
    return named_parameter(error, sent);
}

std::string refusal_text(const Llm& llm, const std::string& parameter, const ApiError& error) {
    return fmt::format("{} does not take {} ({})", llm.name.empty() ? llm.base_url : llm.name, parameter,
                       elide_middle(sanitize(error.message), 200));
}

}  // namespace kforge
