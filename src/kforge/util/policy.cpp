#include "kforge/util/policy.hpp"

#include <fmt/format.h>

#include <array>

namespace kforge {
namespace {

constexpr std::array<std::string_view, 3> k_precision = {"strict", "accurate", "mixed"};
constexpr std::array<std::string_view, 2> k_weights = {"frozen", "live"};
constexpr std::array<std::string_view, 2> k_kernels = {"any", "required"};
constexpr std::array<std::string_view, 2> k_mode = {"as_is", "eval"};

template <typename Enum, size_t N>
Result<Enum> parse(std::string_view policy, std::string_view text,
                   const std::array<std::string_view, N>& words) {
    for (size_t i = 0; i < N; ++i)
        if (text == words[i]) return static_cast<Enum>(i);
    return Error{ErrorKind::usage,
                 fmt::format("'{}' is not a value of {}: use {}", text, policy, fmt::join(words, ", "))};
}

}  // namespace

std::string_view to_string(Precision value) {
    return k_precision[static_cast<size_t>(value)];
}
std::string_view to_string(Weights value) {
    return k_weights[static_cast<size_t>(value)];
}
std::string_view to_string(Kernels value) {
    return k_kernels[static_cast<size_t>(value)];
}
std::string_view to_string(Mode value) {
    return k_mode[static_cast<size_t>(value)];
}

Result<Precision> parse_precision(std::string_view t) {
    return parse<Precision>("precision", t, k_precision);
}
Result<Weights> parse_weights(std::string_view t) {
    return parse<Weights>("weights", t, k_weights);
}
Result<Mode> parse_mode(std::string_view t) {
    return parse<Mode>("mode", t, k_mode);
}

}  // namespace kforge
