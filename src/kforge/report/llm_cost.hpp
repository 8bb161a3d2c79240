// LlmCost: what answered LLM calls took, summed up from the events of a journal.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace kforge {

struct LlmCost {
    long calls = 0;
    long input_tokens = 0;
    long cached_input_tokens = 0;  // of these: read from the provider's prompt cache
    long cache_write_tokens = 0;   // of these: written to it
    long output_tokens = 0;
    long reasoning_tokens = 0;  // of these
    double usd = 0;
    bool estimated = false;  // some provider did not count its tokens
    bool priced = true;      // false: of some call the price is not known, and not in `usd`

    long tokens() const { return input_tokens + output_tokens; }
    // The part of the input that came from a cache; nothing where nobody counted.
    std::optional<double> cache_hit_rate() const;
    void add(const nlohmann::json& event_fields);  // of an event *_answered; throws what json throws
    void add(const LlmCost& other);
};

nlohmann::json to_json(const LlmCost& cost);
std::string usd_text(const LlmCost& cost);  // "$0.12", "$0.0034", "price unknown"

}  // namespace kforge
