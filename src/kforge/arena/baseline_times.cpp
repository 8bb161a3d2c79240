#include "kforge/arena/baseline_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kforge/arena/gpu_watch.hpp"
#include "kforge/arena/samples.hpp"
#include "kforge/arena/statistics.hpp"
#include "kforge/util/random.hpp"

namespace kforge {
namespace {

constexpr int k_untimed_rounds = 3;
constexpr int k_least_timed_rounds = 7;
constexpr int k_most_timed_rounds = 100;
constexpr int k_empty_calls = 50;
constexpr double k_narrow = 0.02;  // of the median, for the width of its interval

// The median with a 95 % bootstrap interval.
Interval interval_of(const std::vector<double>& samples, uint64_t seed) {
    return ratio_interval(samples, std::vector<double>(samples.size(), 1.0), seed);
}

bool all_narrow(const Samples& samples, uint64_t seed) {
    return std::all_of(samples.begin(), samples.end(), [&](const auto& side) {
        const Interval interval = interval_of(side.second, seed);
        return interval.high - interval.low <= k_narrow * interval.value;
    });
}

Result<Overhead> empty_call(Stage& stage) {
    Samples samples;
    std::vector<double> device_ms;
    for (int i = 0; i < k_empty_calls; ++i) {
        TRY_ASSIGN(const double wall_ms, stage.baseline_go(k_nothing));
        samples[k_nothing].push_back(wall_ms);
        device_ms.push_back(stage.baseline_device_ms());
    }
    return stage.in_two_steps() ? overhead_on_gpu(samples, median(device_ms)) : overhead_of(samples);
}

}  // namespace

Result<BaselineTimes> time_baselines(Stage& stage) {
    BaselineTimes times;
    std::vector<std::string> sides;
    TRY_ASSIGN(const std::vector<BaselineSide> baselines, stage.settle_baselines());
    for (const BaselineSide& side : baselines) {
        if (side.ready)
            sides.push_back(side.name);
        else
            times.notes.push_back(fmt::format("no baseline '{}': {}", side.name, side.why));
    }
    if (sides.empty()) return times;
    TRY(stage.give_baselines(WeightSet{}));
    TRY(stage.place_baselines());
    TRY_ASSIGN(const std::optional<GpuTurn> turn, stage.take_turn());
    GpuWatch watch(stage.gpu());
    watch.note_conditions("before", times.notes);
    Lots random(stage.seeds().next());
    const uint64_t bootstrap_seed = stage.seeds().next();
    TRY_ASSIGN(const Overhead overhead, empty_call(stage));
    times.overhead_ms = overhead.least_ms;
    const Deadline budget = deadline_in(stage.spec().timing_budget_s);
    Samples samples;
    for (int round = 0; round < k_untimed_rounds + k_most_timed_rounds; ++round) {
        const bool enough = round >= k_untimed_rounds + k_least_timed_rounds;
        if (enough && (seconds_until(budget) <= 0 || all_narrow(samples, bootstrap_seed))) break;
        TRY_ASSIGN(const nlohmann::json spec, stage.stage_round(WeightSet{}));
        TRY(stage.baseline_bind(spec));
        std::shuffle(sides.begin(), sides.end(), random);
        for (const std::string& side : sides) {
            TRY_ASSIGN(const double wall_ms, stage.baseline_go(side));
            if (round >= k_untimed_rounds) samples[side].push_back(net_ms(wall_ms, overhead));
        }
    }
    watch.note_conditions("after", times.notes);
    times.device = watch.report();
    for (const BaselineSide& side : baselines)
        if (side.ready)
            times.sides.push_back(
                {side.name, interval_of(samples.at(side.name), bootstrap_seed), samples.at(side.name)});
    return times;
}

}  // namespace kforge
