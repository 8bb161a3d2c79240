// What a server's headers say of its limits. Pure functions.
#pragma once

#include <chrono>
#include <optional>

#include "kforge/net/http.hpp"

namespace kforge {

struct RateLimit {
    long remaining = 0;
    long limit = 0;           // when it is whole; 0: not told
    Clock::time_point reset;  // when it is whole again
};

struct RateLimits {
    std::optional<RateLimit> requests;
    std::optional<RateLimit> tokens;  // the scarcest kind, where there are several
};

RateLimits read_rate_limits(const HttpResponse& response, Clock::time_point now,
                            std::chrono::system_clock::time_point wall);

}  // namespace kforge
