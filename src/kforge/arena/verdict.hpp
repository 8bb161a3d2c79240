// Verdict: the state of one evaluated candidate, its reason from a closed list, and evidence for a person.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kforge/util/result.hpp"

namespace kforge {

enum class State {
    generation_failure,
    compilation_failure,
    runtime_error,
    mismatch,
    correct,
    disqualified,
    checked,
};

enum class Reason {
    network,
    refused,
    truncated,
    empty,
    no_code,  // generation_failure
    syntax,
    toolchain,
    import,  // compilation_failure
    exception,
    crash,
    timeout,
    out_of_memory,
    device_fault,  // runtime_error
    shape,
    dtype,
    values,
    non_finite,
    nondeterministic,
    generalization,  // mismatch
    guardrail,
    integrity,  // disqualified
    compiled,
    interpreted,
    parsed,  // checked
};

std::string_view to_string(State state);
std::string_view to_string(Reason reason);
Result<State> parse_state(std::string_view text);
Result<Reason> parse_reason(std::string_view text);
State state_of(Reason reason);  // every reason belongs to exactly one state

struct Verdict {
    State state = State::correct;
    std::optional<Reason> reason;  // none only when correct
    std::string evidence;

    static Verdict correct(std::string evidence = {}) {
        return {State::correct, std::nullopt, std::move(evidence)};
    }
    static Verdict because(Reason reason, std::string evidence) {
        return {state_of(reason), reason, std::move(evidence)};
    }
    bool is_correct() const { return state == State::correct; }
};

}  // namespace kforge
