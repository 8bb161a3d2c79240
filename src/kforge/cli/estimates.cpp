#include "kforge/cli/estimates.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/session.hpp"
#include "kforge/forge/asker.hpp"

namespace kforge {

Estimate estimate_for(const LlmRegistry& registry, const RunConfig& config, const Platform& platform,
                      const std::string& problem) {
    const Llm generation = generation_llm(registry, config);
    const Llm analysis = analysis_llm(registry, config);
    require(check_prices(budget_caps(config), generation));
    if (has_refinements(config)) require(check_prices(budget_caps(config), analysis));
    return estimate_run(config, generation, analysis,
                        platform.guide.size() + platform.example_reference.size() +
                            platform.example_kernel.size() + problem.size());
}

nlohmann::json to_json(const Estimate& estimate) {
    const auto usd = [](const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json();
    };
    return {{"llm_calls", estimate.calls},
            {"tokens", estimate.tokens},
            {"usd", usd(estimate.usd)},
            {"worst_tokens", estimate.worst_tokens},
            {"worst_usd", usd(estimate.worst_usd)}};
}

std::string usd_text(const std::optional<double>& usd) {
    return usd ? fmt::format("${:.2f}", *usd) : "price unknown";
}

std::string estimate_text(const Estimate& estimate) {
    return fmt::format("at most {} LLM calls; usually about {} tokens, {}; at worst {} tokens, {}",
                       estimate.calls, estimate.tokens, usd_text(estimate.usd), estimate.worst_tokens,
                       usd_text(estimate.worst_usd));
}

}  // namespace kforge
