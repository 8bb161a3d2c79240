#include "kforge/arena/baseline_alone.hpp"

#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

constexpr size_t k_noise_rounds = 11;
constexpr int k_more_noise_rounds = 4;   // where there are some from earlier races
constexpr double k_noise_budget = 0.25;  // of the timing budget
constexpr int k_least_noise_rounds = 3;
constexpr int k_least_alone_rounds = 5, k_alone_rounds = 15;

}  // namespace

Result<Interval> measure_noise(Stage& stage, Rounds& rounds, const std::string& baseline,
                               const Overhead& overhead, bool enough) {
    Stage::Pairs& pairs = stage.pairs_of(baseline);
    const Deadline budget = deadline_in(k_noise_budget * stage.spec().timing_budget_s);
    const int more = enough ? 0 : k_more_noise_rounds;
    TRY(stage.show_inputs());  // again: the candidate may have spoilt them since
    for (int round = 0; round < more || pairs.size() < k_noise_rounds; ++round) {
        if (round >= k_least_noise_rounds && seconds_until(budget) <= 0) break;
        TRY_ASSIGN(double one, rounds.call_alone(baseline));
        TRY_ASSIGN(double other, rounds.call_alone(baseline));
        if (rounds.random()() % 2 == 0) std::swap(one, other);
        pairs.emplace_back(net_ms(one, overhead), net_ms(other, overhead));
    }
    while (pairs.size() > k_noise_rounds) pairs.pop_front();
    std::vector<double> sides[2];
    for (const auto& [one, other] : pairs) {
        sides[0].push_back(one);
        sides[1].push_back(other);
    }
    const Interval noise = ratio_interval(sides[0], sides[1], stage.seeds().next());
    // On a GPU the first call after others takes longer than those that follow.
    if (stage.gpu() != nullptr) stage.note_baseline(baseline, median(sides[0]));
    return noise;
}

Result<double> time_alone(const Stage& stage, Rounds& rounds, const std::string& baseline,
                          const Overhead& overhead) {
    const Deadline budget = deadline_in(k_noise_budget * stage.spec().timing_budget_s);
    std::vector<double> calls_ms;
    for (int round = 0; round < k_alone_rounds; ++round) {
        if (round >= k_least_alone_rounds && seconds_until(budget) <= 0) break;
        TRY_ASSIGN(const double wall_ms, rounds.run_without_candidate(baseline));
        calls_ms.push_back(net_ms(wall_ms, overhead));
    }
    return median(calls_ms);
}

}  // namespace kforge
