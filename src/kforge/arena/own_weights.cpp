#include "kforge/arena/own_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kforge/arena/rounds.hpp"
#include "kforge/arena/statistics.hpp"
#include "kforge/util/random.hpp"

namespace kforge {
namespace {

constexpr int k_rounds = 7, k_first_rounds = 3;
constexpr int k_settling_rounds = 1;  // in which weights may be packed
constexpr double k_as_fast = 0.9;     // a few rounds tell no better
// Calls with these weights that are compared. A candidate knows them: they are often ones and zeros.
constexpr int k_compared_calls = 12, k_least_compared_calls = 4;
constexpr int k_unusual_calls = 3;  // among these, on values of cases that are drawn by lot
constexpr double k_compared_s = 0.1;
constexpr const char* k_constants = "other constants";
// Calls before these whose results nobody looks at: what is careful in its first calls only is found out.
constexpr int k_idle_calls = 256;
constexpr double k_idle_s = 0.05;

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
    std::vector<std::string> sides = {k_candidate, before.timings.baseline};
    if (candidate.values == Values::as_made) {
        // With these another baseline may be the fastest.
        TRY_ASSIGN(const std::vector<BaselineSide> baselines, stage.settle_baselines());
        for (const BaselineSide& side : baselines)
            if (side.ready && side.name != before.timings.baseline && is_plain(side.name))
                sides.push_back(side.name);
    }
    Samples walls;
    TRY(stage.give_baselines(weights));
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
        const auto fastest = std::min_element(
            sides.begin() + 1, sides.end(),
            [&](const auto& a, const auto& b) { return median(samples.at(a)) < median(samples.at(b)); });
        const Interval speedup = speedup_over(*fastest, samples, overhead, stage.seeds().next());
        // By its own time, too: a baseline that is faster for once says nothing of the candidate. With other
        // values it may be faster for good.
        const double least = least_as_fast(*before.speedup);
        const double share = std::max(k_as_fast, least / before.speedup->value);
        const bool is_as_quick = share * median(samples.at(k_candidate)) <= before.median_of(k_candidate);
        if (speedup.value >= least || (is_as_quick && candidate.values != Values::as_made))
            return Outcome(true);
    }
    return Outcome(false);
}

// What is right with all other weights may be wrong with these, and what is right on inputs made in no time
// (see draws.py) on those of get_inputs().
Result<Finding> compare_calls(Stage& stage, const WeightSet& weights, const Runner& candidate) {
    TRY_ASSIGN(const std::optional<GpuTurn> turn, stage.take_turn());
    GpuWatch watch(stage.gpu());
    Rounds rounds(stage, weights, candidate, watch);
    TRY(rounds.stage_inputs());
    const Deadline idle = deadline_in(k_idle_s);
    for (int call = 0; call < k_idle_calls && seconds_until(idle) > 0 && !rounds.found(); ++call)
        TRY(rounds.call_unseen());
    Lots random(stage.seeds().next());
    std::vector<Surprise> unusual = candidate.surprises;
    std::shuffle(unusual.begin(), unusual.end(), random);
    // Most mistakes that show with some weights only do in this one: it comes first.
    std::stable_partition(unusual.begin(), unusual.end(),
                          [](const Surprise& surprise) { return surprise.name == k_constants; });
    unusual.resize(std::min<size_t>(unusual.size(), k_unusual_calls));
    std::reverse(unusual.begin(), unusual.end());
    const Deadline budget = deadline_in(k_compared_s);
    for (int call = 0; call < k_compared_calls && !rounds.found(); ++call) {
        if (call >= k_least_compared_calls && seconds_until(budget) <= 0) break;
        TRY(rounds.watch(Values::drawn_by_torch));
        if (unusual.empty() || random() % 2 == 0) continue;
        unusual.back().leniently = true;  // it may mean nothing with these weights
        TRY(rounds.surprise(unusual.back()));
        unusual.pop_back();
    }
    return rounds.found();
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
    contender.allow(2 * stage.spec().timing_budget_s + stage.spec().call_limit_s);
    if (has_others) {
        TRY_ASSIGN(const Finding unfit, contender.use_first_instance());
        if (unfit) return unfit;
    }
    TRY_ASSIGN(const Finding refused, compare_calls(stage, contender.weights(), runner));
    if (refused || result.claim != "faster") return refused;
    Runner own_runner = runner;
    // What is remembered of the same ones may be quick, which does not count: what is slower does.
    const bool makes_the_same = stage.facts().makes_the_same;
    own_runner.values = makes_the_same ? Values::as_made : Values::drawn_by_torch;
    TRY_ASSIGN(const auto as_fast, is_as_fast(stage, contender.weights(), own_runner, result));
    if (const Verdict* verdict = std::get_if<Verdict>(&as_fast)) return Finding(*verdict);
    if (std::get<bool>(as_fast)) return Finding();
    for (Surprise& surprise : own_runner.surprises) surprise.leniently = true;
    TRY_ASSIGN(auto outcome, race(stage, contender.weights(), own_runner));
    if (const Verdict* verdict = std::get_if<Verdict>(&outcome)) return Finding(*verdict);
    RaceResult& own = std::get<RaceResult>(outcome);
    if (!own.speedup || !is_less(own, *result.speedup)) return Finding();
    own.timings.notes.push_back(
        fmt::format("timed with the {} that the problem makes: with others, which differ more from each "
                    "other, it was {:.2f} times as fast as the baseline",
                    has_others ? "weights and values" : "values", result.speedup->value));
    result = std::move(own);
    return Finding();
}

}  // namespace kforge
