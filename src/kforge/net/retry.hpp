// When a request may be sent again, as servers say it and as the reference clients do it. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kforge {

using Milliseconds = std::chrono::milliseconds;

// retry-after-ms; retry-after as seconds (with a fraction, too) or as an HTTP date, counted from `now`. An
// empty text is a header that is not there. Nothing when neither says something sensible.
std::optional<Milliseconds> retry_after(std::string_view retry_after_ms, std::string_view retry_after,
                                        std::chrono::system_clock::time_point now);

// "12ms", "6m0s", "1.5s", "2h": how servers write the time until a limit is reset.
std::optional<Milliseconds> parse_duration(std::string_view text);

// 0.5 s, doubled with each attempt from 0 up to `cap`, less up to a quarter. `random` is in [0, 1).
Milliseconds backoff(int attempt, double random, Milliseconds cap);

double random_fraction();  // in [0, 1); thread-safe

}  // namespace kforge
