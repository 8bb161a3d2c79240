#include "kforge/net/retry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr double k_longest_wait_s = 30.0 * 24 * 3600;  // more is nonsense

// A plain decimal number that is the whole text.
std::optional<double> plain_number(std::string_view text) {
    const std::string copy(trim(text));
    if (copy.empty() || copy.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
}

// A date as HTTP has it (RFC 9110): the usual form and the two old ones.
std::optional<std::chrono::system_clock::time_point> http_date(std::string_view text) {
    const std::string copy(trim(text));
    for (const char* form :
         {"%a, %d %b %Y %H:%M:%S GMT", "%a, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"}) {
        std::tm parts{};
        const char* end = ::strptime(copy.c_str(), form, &parts);
        if (end != nullptr && *end == '\0') return std::chrono::system_clock::from_time_t(::timegm(&parts));
    }
    return std::nullopt;
}

std::optional<Milliseconds> bounded(double seconds) {
    if (!(seconds >= 0) || seconds > k_longest_wait_s) return std::nullopt;
    return Milliseconds(static_cast<long>(std::ceil(seconds * 1000)));
}

}  // namespace

std::optional<Milliseconds> retry_after(std::string_view retry_after_ms, std::string_view retry_after,
                                        std::chrono::system_clock::time_point now) {
    if (const auto number = plain_number(retry_after_ms))
        if (const auto wait = bounded(*number / 1000)) return wait;
    if (const auto number = plain_number(retry_after)) return bounded(*number);
    const auto date = http_date(retry_after);
    if (!date) return std::nullopt;
    return bounded(std::max(0.0, std::chrono::duration<double>(*date - now).count()));
}

std::optional<Milliseconds> parse_duration(std::string_view text) {
    text = trim(text);
    double seconds = 0;
    bool any = false;
    while (!text.empty()) {
        const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
        const auto number = plain_number(text.substr(0, digits));
        if (!number) return std::nullopt;
        text.remove_prefix(digits);
        const size_t letters = std::min(text.find_first_of("0123456789."), text.size());
        const std::string_view unit = text.substr(0, letters);
        text.remove_prefix(letters);
        const double factor = unit == "ms"                ? 0.001
                              : unit == "s" || unit == "" ? 1
                              : unit == "m"               ? 60
                              : unit == "h"               ? 3600
                              : unit == "d"               ? 86400
                                                          : -1;
        if (factor < 0) return std::nullopt;
        seconds += *number * factor;
        any = true;
    }
    return any ? bounded(seconds) : std::nullopt;
}

Milliseconds backoff(int attempt, double random, Milliseconds cap) {
    const double full =
        std::min(500.0 * std::pow(2.0, std::min(attempt, 20)), static_cast<double>(cap.count()));
    return Milliseconds(static_cast<long>(full * (1 - 0.25 * random)));
}

double random_fraction() {
    thread_local std::mt19937_64 generator{std::random_device{}()};
    return std::uniform_real_distribution<double>(0, 1)(generator);
}

}  // namespace kforge
