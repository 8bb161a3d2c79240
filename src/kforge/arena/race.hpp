// Race: the interleaved timing of a candidate and its baselines. The clock is ours: wall time from sending
// "go" to the answer, less the quickest answer there is. Every round uses fresh secret inputs, a secret
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
    std::string claim;     // see Evaluation
    double let_go_ms = 0;  // what is due for letting a result go, at the most
    // What the baseline took in rounds without the candidate; zero where nothing is claimed, or on a GPU.
    double baseline_alone_ms = 0;
    double median_of(const std::string& side) const;  // milliseconds; 0 where it was not timed
};

// A case that comes between timed calls and looks like them: what is careful only until it is timed is found
// out.
struct Surprise {
    std::string name;
    bool leniently;  // see Stage::stage_case
    bool by_policy;  // whether the precision policy applies
};

// What the race needs of the candidate; a verdict ends it.
struct Runner {
    std::vector<Surprise> surprises;
    Values values = Values::fresh;  // of all other calls
    std::function<Result<std::optional<Verdict>>(const nlohmann::json& spec)> bind;
    // The inputs of the calls that follow, if they are not those that it is bound to; not said before these
    // begin.
    std::function<Result<std::optional<Verdict>>(const nlohmann::json& spec)> tell;
    // Wall milliseconds of one call, or the verdict on a call that failed. With `restless` it is found out
    // whether the GPU was at work before the call began, and the time is of no use.
    std::function<Result<std::variant<double, Verdict>>(bool* restless)> go;
    // Processor time of that call.
    std::function<double()> used_ms;
    // On a GPU: how long it took until the player was awake, before the last call.
    std::function<double()> awake_ms;
    // And how long that took on the GPU, as the player says.
    std::function<double()> device_ms;
    // Compares the outputs of the last call, whose inputs were like all others or, where there is one, those
    // of a surprise.
    std::function<Result<std::optional<Verdict>>(const Surprise* surprise)> check;
    // Lets the outputs go, when nothing is timed.
    std::function<Result<std::optional<Verdict>>()> drop;
    // What it has worked in that.
    std::function<double()> let_go_ms;
    pid_t pid = 0;  // its process
};

Result<std::variant<RaceResult, Verdict>> race(Stage& stage, const WeightSet& weights,
                                               const Runner& candidate);

}  // namespace kforge
