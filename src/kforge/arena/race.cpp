#include "kforge/arena/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

constexpr int k_warmup_rounds = 2;
constexpr int k_min_rounds = 7;
constexpr int k_max_rounds = 200;
constexpr int k_closely_watched = 20;  // rounds of which half are checked; an eighth of the later ones
constexpr int k_noise_rounds = 15;
constexpr double k_noise_budget = 0.25;     // of the timing budget
constexpr int k_look_every = 5;             // rounds, at the interval and at hopeless baselines
constexpr double k_hopeless = 2;            // times slower than the fastest baseline
constexpr double k_shortest_sample = 1e-4;  // ms: no sample is shorter than the clock can tell
constexpr const char* k_candidate = "candidate";

using Samples = std::map<std::string, std::vector<double>>;

Result<double> measure_overhead(Stage& stage) {
    std::vector<double> samples;
    for (int i = 0; i < 50; ++i) {
        TRY_ASSIGN(const double wall, stage.baseline_go("nothing"));
        samples.push_back(wall);
    }
    return median(samples);
}

// The baseline with the smallest median among those that `allowed` accepts and that ran in every round; empty
// when there is none.
std::string fastest(const Samples& samples, const std::function<bool(const std::string&)>& allowed) {
    std::string best;
    double best_ms = 0;
    for (const auto& [name, values] : samples) {
        if (name == k_candidate || !allowed(name)) continue;
        if (values.size() != samples.at(k_candidate).size()) continue;
        const double ms = median(values);
        if (best.empty() || ms < best_ms) {
            best = name;
            best_ms = ms;
        }
    }
    return best;
}

bool is_plain(const std::string& side) {
    return !side.starts_with("half_");
}

bool is_any(const std::string&) {
    return true;
}

bool timed_enough(const Samples& samples, uint64_t seed) {
    const std::string baseline = fastest(samples, is_any);
    if (baseline.empty()) return true;
    const std::vector<double>& candidate = samples.at(k_candidate);
    return is_timed_enough(ratio_interval(samples.at(baseline), candidate, seed, 200), candidate.size());
}

// A baseline that another one of its kind beats by far needs no more samples.
void retire_hopeless(const Samples& samples, std::vector<std::string>& sides) {
    std::erase_if(sides, [&](const std::string& side) {
        if (side == k_candidate) return false;
        const std::string best = fastest(samples, is_plain(side) ? is_plain : is_any);
        return !best.empty() && median(samples.at(side)) > k_hopeless * median(samples.at(best));
    });
}

RaceResult summarize(Samples samples, double overhead_ms, int threads, std::vector<std::string> notes,
                     uint64_t seed) {
    RaceResult result;
    result.timings.overhead_ms = overhead_ms;
    result.timings.threads = threads;
    result.timings.notes = std::move(notes);
    result.timings.baseline = fastest(samples, is_plain);
    result.timings.same_permission_baseline = fastest(samples, is_any);
    const auto over = [&](const std::string& baseline) -> std::optional<Interval> {
        if (baseline.empty()) return std::nullopt;
        return ratio_interval(samples.at(baseline), samples.at(k_candidate), seed);
    };
    result.speedup = over(result.timings.baseline);
    result.same_permission_speedup = over(result.timings.same_permission_baseline);
    for (auto& [name, values] : samples) {
        const double ms = median(values);
        result.timings.series.push_back(Series{name, ms, std::move(values)});
    }
    return result;
}

// The baseline against itself: what differs between equals is noise. Apart from the race, where it would give
// the baseline's process twice the calls, and so the warmer caches.
Result<Interval> measure_noise(Stage& stage, const WeightSet& weights, const std::string& baseline,
                               double overhead_ms) {
    std::vector<double> sides[2];
    std::mt19937_64 random(stage.seeds().next());
    const Deadline budget = deadline_in(k_noise_budget * stage.spec().timing_budget_s);
    for (int round = 0; round < k_noise_rounds && (round < 3 || seconds_until(budget) > 0); ++round) {
        TRY_ASSIGN(const nlohmann::json spec, stage.stage_round(weights, static_cast<size_t>(round), false));
        TRY(stage.baseline_bind(spec));
        const size_t first = random() % 2;
        for (const size_t side : {first, 1 - first}) {
            TRY_ASSIGN(const double wall_ms, stage.baseline_go(baseline));
            sides[side].push_back(std::max(wall_ms - overhead_ms, k_shortest_sample));
        }
    }
    return ratio_interval(sides[0], sides[1], stage.seeds().next());
}

}  // namespace

Result<std::variant<RaceResult, Verdict>> race(Stage& stage, const WeightSet& weights,
                                               const Runner& candidate) {
    using Outcome = std::variant<RaceResult, Verdict>;
    TRY_ASSIGN(const std::vector<BaselineSide> baselines, stage.settle_baselines());
    std::vector<std::string> sides = {k_candidate};
    std::vector<std::string> notes;
    for (const BaselineSide& side : baselines) {
        if (side.ready)
            sides.push_back(side.name);
        else
            notes.push_back(fmt::format("no baseline '{}': {}", side.name, side.why));
    }
    TRY_ASSIGN(const double overhead_ms, measure_overhead(stage));

    std::mt19937_64 random(stage.seeds().next());
    const uint64_t bootstrap_seed = stage.seeds().next();
    Samples samples;
    nlohmann::json bound;
    const Deadline budget = deadline_in(stage.spec().timing_budget_s);
    for (int round = -k_warmup_rounds; round < k_max_rounds; ++round) {
        if (round >= k_min_rounds && seconds_until(budget) <= 0) break;
        if (round >= k_min_rounds && round % k_look_every == 0) {
            if (timed_enough(samples, bootstrap_seed)) break;
            retire_hopeless(samples, sides);
        }
        // The first timed round is always checked, later ones by lot: the candidate cannot tell which.
        const bool check = round == 0 || random() % (round < k_closely_watched ? 2 : 8) == 0;
        TRY_ASSIGN(const nlohmann::json spec,
                   stage.stage_round(weights, static_cast<size_t>(round + k_warmup_rounds), check));
        if (spec != bound) {
            // Not timed: the candidate must not see yet what it is going to be timed on.
            stage.hide_inputs();
            TRY(stage.baseline_bind(spec));
            TRY_ASSIGN(const std::optional<Verdict> refused, candidate.bind(spec));
            if (refused) return Outcome(*refused);
            TRY(stage.show_inputs());
            bound = spec;
        }
        std::shuffle(sides.begin(), sides.end(), random);
        for (const std::string& side : sides) {
            double wall_ms = 0;
            if (side == k_candidate) {
                TRY_ASSIGN(const auto run, candidate.go());
                if (const Verdict* verdict = std::get_if<Verdict>(&run)) return Outcome(*verdict);
                wall_ms = std::get<double>(run);
                if (check) {
                    TRY_ASSIGN(const std::optional<Verdict> wrong, candidate.check());
                    if (wrong) return Outcome(*wrong);
                }
                TRY_ASSIGN(const std::optional<Verdict> failed, candidate.drop());
                if (failed) return Outcome(*failed);
            } else {
                TRY_ASSIGN(wall_ms, stage.baseline_go(side));
            }
            if (round >= 0) samples[side].push_back(std::max(wall_ms - overhead_ms, k_shortest_sample));
        }
    }
    RaceResult result =
        summarize(std::move(samples), overhead_ms, stage.threads(), std::move(notes), bootstrap_seed);
    if (result.speedup) {
        TRY_ASSIGN(result.timings.noise, measure_noise(stage, weights, result.timings.baseline, overhead_ms));
        result.claim = claim(*result.speedup, *result.timings.noise);
    }
    return Outcome(std::move(result));
}

}  // namespace kforge
