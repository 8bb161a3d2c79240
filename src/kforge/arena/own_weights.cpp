#include "kforge/arena/own_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kforge/arena/rounds.hpp"
#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

constexpr int k_own_weights = 0;
constexpr int k_rounds = 7, k_first_rounds = 3;
constexpr int k_settling_rounds = 1;  // in which weights may be packed
constexpr double k_as_fast = 0.9;     // a few rounds tell no better

// Of a speedup, what is nearer to it than to none: of a small one a tenth less would be none at all.
double least_as_fast(const Interval& speedup) {
    return std::max(k_as_fast * speedup.low, std::sqrt(speedup.value));
}

// By a few rounds, with all threads where the race has left them: they only tell whether to look again. Fewer
// do where the candidate is no slower than it was.
Result<std::variant<bool, Verdict>> is_as_fast(Stage& stage, const WeightSet& weights,
                                               const Runner& candidate, const RaceResult& before) {
    using Outcome = std::variant<bool, Verdict>;
    TRY_ASSIGN(const std::optional<GpuTurn> turn, stage.take_turn());
    GpuWatch watch(stage.gpu());
    Rounds rounds(stage, weights, candidate, watch);
    const std::string& baseline = before.timings.baseline;
    const std::vector<std::string> sides = {k_candidate, baseline};
    Samples walls;
    TRY(rounds.stage_inputs());
    for (int round = 0; round < k_settling_rounds && !rounds.found(); ++round)
        TRY(rounds.call_all(sides, Check::inputs, false, &walls));
    walls.clear();
    rounds.reset();
    for (int round = 1; round <= k_rounds; ++round) {
        TRY(rounds.run(sides, Check::all, false, &walls));
        if (rounds.found()) return Outcome(*rounds.found());
        if (round != k_first_rounds && round != k_rounds) continue;
        const Overhead overhead = rounds.overhead(walls);
        const Samples samples = net(walls, overhead);
        const Interval speedup = speedup_over(baseline, samples, overhead, stage.seeds().next());
        // By its own time, too: a baseline that is faster for once says nothing of the candidate.
        const double least = least_as_fast(*before.speedup);
        const double share = std::max(k_as_fast, least / before.speedup->value);
        if (speedup.value >= least ||
            share * median(samples.at(k_candidate)) <= before.median_of(k_candidate))
            return Outcome(true);
    }
    return Outcome(false);
}

// By the intervals, or by the values: a candidate can make its interval as wide as it likes. And what cannot
// be claimed with the problem's own weights cannot be claimed.
bool is_less(const RaceResult& own, const Interval& other) {
    return own.claim != "faster" || own.speedup->high < other.low ||
           own.speedup->value < k_as_fast * other.value;
}

}  // namespace

Result<Finding> hold_to_own_weights(Stage& stage, Contender& contender, const Runner& runner,
                                    RaceResult& result) {
    const bool has_others = contender.weights().kind == "loaded" && !stage.facts().parameters.empty();
    if (result.claim != "faster" || !has_others) return Finding();
    contender.allow(2 * stage.spec().timing_budget_s + stage.spec().call_limit_s);
    TRY_ASSIGN(const Finding refused, contender.use_weights(k_own_weights));
    if (refused) return refused;
    TRY_ASSIGN(const auto as_fast, is_as_fast(stage, contender.weights(), runner, result));
    if (const Verdict* verdict = std::get_if<Verdict>(&as_fast)) return Finding(*verdict);
    if (std::get<bool>(as_fast)) return Finding();
    Runner lenient = runner;
    for (Surprise& surprise : lenient.surprises) surprise.leniently = true;
    TRY_ASSIGN(auto outcome, race(stage, contender.weights(), lenient));
    if (const Verdict* verdict = std::get_if<Verdict>(&outcome)) return Finding(*verdict);
    RaceResult& own = std::get<RaceResult>(outcome);
    if (!own.speedup || !is_less(own, *result.speedup)) return Finding();
    own.timings.notes.push_back(
        fmt::format("timed with the weights that the problem makes: with others, which differ more from each "
                    "other, it was {:.2f} times as fast as the baseline",
                    result.speedup->value));
    result = std::move(own);
    return Finding();
}

}  // namespace kforge
