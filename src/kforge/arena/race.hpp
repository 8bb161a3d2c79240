// Race: the interleaved timing of a candidate and its baselines. The clock is ours: wall time from sending
// "go" to the answer, less the round trip of an empty call. Every round uses fresh secret inputs, a secret
// subset is checked.
#pragma once

#include <functional>
#include <variant>

#include "kforge/arena/stage.hpp"

namespace kforge {

struct RaceResult {
    Timings timings;
    std::optional<Interval> speedup;
    std::optional<Interval> same_permission_speedup;
};

// Runs the candidate once on what is bound. `check`: its outputs are then compared; a verdict ends the race.
struct Runner {
    std::function<Result<std::optional<Verdict>>(const nlohmann::json& spec)> bind;
    // Wall milliseconds of one call, or the verdict on a call that failed.
    std::function<Result<std::variant<double, Verdict>>()> go;
    std::function<Result<std::optional<Verdict>>(bool check)> publish;
};

Result<std::variant<RaceResult, Verdict>> race(Stage& stage, const WeightSet& weights,
                                               const Runner& candidate);

}  // namespace kforge
