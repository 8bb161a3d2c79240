// What runs are going to ask for, told before they start.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kforge/forge/estimate.hpp"
#include "kforge/llm/registry.hpp"
#include "kforge/platform/platform.hpp"

namespace kforge {

// Throws Fatal where an LLM is not known, or a cap in USD has no prices to go by.
Estimate estimate_for(const LlmRegistry& registry, const RunConfig& config, const Platform& platform,
                      const std::string& problem);

// {"llm_calls","tokens","usd","worst_tokens","worst_usd"}
nlohmann::json to_json(const Estimate& estimate);
// "at most 9 LLM calls; usually about 52000 tokens, $0.31; at worst ..."
std::string estimate_text(const Estimate& estimate);
std::string usd_text(const std::optional<double>& usd);

}  // namespace kforge
