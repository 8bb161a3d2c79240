#include "kforge/llm/rate_limits.hpp"

#include <cstdlib>
#include <ctime>

#include "kforge/net/retry.hpp"

namespace kforge {
namespace {

struct LimitNames {
    bool tokens;
    const char* limit;
    const char* remaining;
    const char* reset;
};

constexpr LimitNames k_limit_names[] = {
    {false, "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
    {true, "x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
    {false, "anthropic-ratelimit-requests-limit", "anthropic-ratelimit-requests-remaining",
     "anthropic-ratelimit-requests-reset"},
    {true, "anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-remaining",
     "anthropic-ratelimit-tokens-reset"},
    {true, "anthropic-ratelimit-input-tokens-limit", "anthropic-ratelimit-input-tokens-remaining",
     "anthropic-ratelimit-input-tokens-reset"},
    {true, "anthropic-ratelimit-output-tokens-limit", "anthropic-ratelimit-output-tokens-remaining",
     "anthropic-ratelimit-output-tokens-reset"},
};

// A whole number, not negative, that is the whole text.
std::optional<long> count_in(const std::string& text) {
    char* end = nullptr;
    const long count = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || count < 0) return std::nullopt;
    return count;
}

// A duration ("6m0s") or a moment ("2026-11-15T10:20:30Z").
std::optional<Milliseconds> until_reset(const std::string& text, std::chrono::system_clock::time_point wall) {
    if (const auto duration = parse_duration(text)) return duration;
    std::tm parts{};
    if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return std::nullopt;
    const auto moment = std::chrono::system_clock::from_time_t(::timegm(&parts));
    return std::max(Milliseconds(0), std::chrono::duration_cast<Milliseconds>(moment - wall));
}

}  // namespace

RateLimits read_rate_limits(const HttpResponse& response, Clock::time_point now,
                            std::chrono::system_clock::time_point wall) {
    RateLimits limits;
    for (const LimitNames& names : k_limit_names) {
        const auto count = count_in(response.header(names.remaining));
        const auto wait = until_reset(response.header(names.reset), wall);
        if (!count || !wait) continue;
        std::optional<RateLimit>& limit = names.tokens ? limits.tokens : limits.requests;
        if (!limit || *count < limit->remaining)
            limit = RateLimit{*count, count_in(response.header(names.limit)).value_or(0), now + *wait};
    }
    return limits;
}

}  // namespace kforge
