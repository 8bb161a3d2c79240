#include "kforge/arena/verdict.hpp"

#include <fmt/format.h>

#include <array>

namespace kforge {
namespace {

constexpr std::array<std::string_view, 7> k_states = {"generation_failure",
                                                      "compilation_failure",
                                                      "runtime_error",
                                                      "mismatch",
                                                      "correct",
                                                      "disqualified",
                                                      "checked"};

struct ReasonRow {
    std::string_view name;
    State state;
};

// In the order of enum Reason.
constexpr std::array<ReasonRow, 24> k_reasons = {{
    {"network", State::generation_failure},
    {"refused", State::generation_failure},
    {"truncated", State::generation_failure},
    {"empty", State::generation_failure},
    {"no_code", State::generation_failure},
    {"syntax", State::compilation_failure},
    {"toolchain", State::compilation_failure},
    {"import", State::compilation_failure},
    {"exception", State::runtime_error},
    {"crash", State::runtime_error},
    {"timeout", State::runtime_error},
    {"out_of_memory", State::runtime_error},
    {"device_fault", State::runtime_error},
    {"shape", State::mismatch},
    {"dtype", State::mismatch},
    {"values", State::mismatch},
    {"non_finite", State::mismatch},
    {"nondeterministic", State::mismatch},
    {"generalization", State::mismatch},
    {"guardrail", State::disqualified},
    {"integrity", State::disqualified},
    {"compiled", State::checked},
    {"interpreted", State::checked},
    {"parsed", State::checked},
}};
static_assert(k_reasons.size() == static_cast<size_t>(Reason::parsed) + 1);

}  // namespace

std::string_view to_string(State state) {
    return k_states[static_cast<size_t>(state)];
}
std::string_view to_string(Reason reason) {
    return k_reasons[static_cast<size_t>(reason)].name;
}
State state_of(Reason reason) {
    return k_reasons[static_cast<size_t>(reason)].state;
}

Result<State> parse_state(std::string_view text) {
    for (size_t i = 0; i < k_states.size(); ++i)
        if (k_states[i] == text) return static_cast<State>(i);
    return Error{ErrorKind::parse, fmt::format("'{}' is not a verdict state", text)};
}

Result<Reason> parse_reason(std::string_view text) {
    for (size_t i = 0; i < k_reasons.size(); ++i)
        if (k_reasons[i].name == text) return static_cast<Reason>(i);
    return Error{ErrorKind::parse, fmt::format("'{}' is not a verdict reason", text)};
}

}  // namespace kforge
