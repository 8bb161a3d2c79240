#include "kforge/report/llm_cost.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace kforge {

using nlohmann::json;

std::optional<double> LlmCost::cache_hit_rate() const {
    if (input_tokens == 0 || (estimated && cached_input_tokens == 0)) return std::nullopt;
    return static_cast<double>(cached_input_tokens) / static_cast<double>(input_tokens);
}

void LlmCost::add(const json& event_fields) {
    const json usage = event_fields.value("usage", json::object());
    ++calls;
    input_tokens += usage.value("input_tokens", 0L);
    cached_input_tokens += usage.value("cached_input_tokens", 0L);
    cache_write_tokens += usage.value("cache_write_tokens", 0L);
    output_tokens += usage.value("output_tokens", 0L);
    reasoning_tokens += usage.value("reasoning_tokens", 0L);
    usd += usage.value("usd", 0.0);
    estimated = estimated || usage.value("estimated", false);
    priced = priced && event_fields.value("priced", true);
}

void LlmCost::add(const LlmCost& other) {
    calls += other.calls;
    input_tokens += other.input_tokens;
    cached_input_tokens += other.cached_input_tokens;
    cache_write_tokens += other.cache_write_tokens;
    output_tokens += other.output_tokens;
    reasoning_tokens += other.reasoning_tokens;
    usd += other.usd;
    estimated = estimated || other.estimated;
    priced = priced && other.priced;
}

json to_json(const LlmCost& cost) {
    const std::optional<double> rate = cost.cache_hit_rate();
    return {{"calls", cost.calls},
            {"tokens", cost.tokens()},
            {"input_tokens", cost.input_tokens},
            {"cached_input_tokens", cost.cached_input_tokens},
            {"cache_write_tokens", cost.cache_write_tokens},
            {"output_tokens", cost.output_tokens},
            {"reasoning_tokens", cost.reasoning_tokens},
            {"cache_hit_rate", rate ? json(*rate) : json()},
            {"usd", cost.usd},
            {"priced", cost.priced},
            {"estimated", cost.estimated}};
}

std::string usd_text(const LlmCost& cost) {
    if (!cost.priced && cost.usd == 0) return "price unknown";
    const std::string text = fmt::format("${:.{}f}", cost.usd, cost.usd > 0 && cost.usd < 0.1 ? 4 : 2);
    return cost.priced ? text : text + " and calls of unknown price";
}

}  // namespace kforge
