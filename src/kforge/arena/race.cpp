#include "kforge/arena/race.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "kforge/arena/baseline_alone.hpp"
#include "kforge/arena/processors.hpp"
#include "kforge/arena/rounds.hpp"
#include "kforge/arena/statistics.hpp"
#include "kforge/arena/surprise_schedule.hpp"

namespace kforge {
namespace {

constexpr int k_warmup_rounds = 3;  // in each placement of the candidate's threads; on a GPU one will do
constexpr int k_min_rounds = 7;
constexpr int k_placed_rounds = 5;        // to see whether threads had better run elsewhere
constexpr double k_better_placed = 0.95;  // of the time that it took
constexpr int k_max_rounds = 200;
constexpr size_t k_repeats = 4;        // in the first rounds, and as many in some times as many later ones
constexpr int k_closely_watched = 20;  // rounds of which half are checked; a quarter of the later ones
constexpr int k_least_cold_rounds = 3, k_cold_rounds = 4;
constexpr double k_cold_budget = 0.25;
constexpr int k_look_every = 3;             // rounds, at the interval and at hopeless baselines
constexpr double k_slowed = 1.5;            // times slower than the same baseline was before
constexpr double k_noticeable_load = 0.25;  // processors
constexpr int k_first_watched = 2;          // calls that are watched before the first timed one
constexpr int k_watch_every = 8;            // rounds, then; those that surprise are watched as well
// Events of the GPU may say this much more than the clock.
constexpr double k_disagreement = 1.1, k_event_ms = 0.05;

// The inputs of the call before, but for a few numbers.
const Surprise k_nearly_the_same = {"nearly", true, false};

using RaceOutcome = std::variant<RaceResult, Verdict>;

class Race {
  public:
    Race(Stage& stage, const WeightSet& weights, const Runner& candidate)
        : m_stage(stage),
          m_weights(weights),
          m_candidate(candidate),
          m_watch(stage.gpu()),
          m_rounds(stage, weights, candidate, m_watch) {}

    Result<RaceOutcome> run() {
        TRY_ASSIGN(const std::optional<GpuTurn> turn, m_stage.take_turn());
        TRY(line_up());
        TRY(get_going());
        m_watch.note_conditions("before", m_notes);
        const OtherLoad other_load(::getpid());
        TRY(time_against_history(other_load));
        if (found()) return RaceOutcome(*found());
        if (m_result.speedup) {
            // The candidate first: where it does better, that is a claim like any other.
            for (const char* claim : {"slower", "faster"}) {
                TRY(try_other_placements(claim, other_load));
                if (found()) return RaceOutcome(*found());
            }
            m_result.claim = claimed();
            // Nobody but the player can empty the caches of a device that is reached by the host.
            if (m_result.claim != "slower" && !m_stage.by_host()) TRY(run_cold());
            if (found()) return RaceOutcome(*found());
        }
        note_conditions(other_load.processors());
        m_watch.note_conditions("after", m_notes);
        m_result.timings.device = m_watch.report();
        m_result.timings.notes = m_notes;
        return RaceOutcome(std::move(m_result));
    }

  private:
    Result<void> line_up() {
        TRY_ASSIGN(const std::vector<BaselineSide> baselines, m_stage.settle_baselines());
        m_sides = {k_candidate};
        for (const BaselineSide& side : baselines) {
            if (side.ready)
                m_sides.push_back(side.name);
            else
                m_notes.push_back(fmt::format("no baseline '{}': {}", side.name, side.why));
        }
        TRY(m_stage.give_baselines(m_weights));
        return m_stage.place_baselines();
    }

    // Nothing of this counts, and on a GPU a player that is done may still be ending meanwhile.
    Result<void> get_going() {
        if (on_gpu()) {
            TRY(m_rounds.stage_inputs());
            TRY(call_some(m_sides, 1));
        }
        m_stage.await_ending();
        return {};
    }

    std::string claimed() const { return claim(*m_result.speedup, *m_result.timings.noise); }

    // A win over a baseline that is slower than it was before in this session says nothing: once more, then.
    Result<void> time_against_history(const OtherLoad& other_load) {
        double slowed = 0;
        for (int attempt = 0; attempt < 2; ++attempt) {
            TRY(time_all(other_load));
            if (found() || !m_result.speedup) return {};
            // A launch may take as much longer by chance as it takes.
            const double chance_ms =
                on_gpu() ? std::max(median(m_rounds.log().device_ms.at(k_nothing)), m_overhead.doubt_ms)
                         : 2 * m_overhead.doubt_ms;
            slowed = m_stage.slower_than_before(m_result.timings.baseline,
                                                m_result.median_of(m_result.timings.baseline), chance_ms);
            if (slowed <= k_slowed || claimed() != "faster") break;
        }
        if (slowed > k_slowed) allow_for_slow_baseline(slowed);
        return {};
    }

    // Every side some times, and what follows from that.
    Result<void> time_all(const OtherLoad& other_load) {
        m_result = RaceResult{};
        Samples samples;
        TRY(run_series(samples));
        // By the host, the player must be believed in other things already.
        if (!found() && !m_stage.by_host()) m_rounds.find_missing_overhead();
        if (!found()) m_rounds.find(m_watch.find_restless(m_notes));
        if (found()) return {};
        m_unseen = m_rounds.unseen(samples, m_overhead, m_notes);
        const double late_ms =
            m_watch.late_start_ms(m_rounds.awake_ms(), m_stage.baseline_awake_ms(), m_notes) +
            m_unseen.certain_ms;
        for (double& sample : samples.at(k_candidate)) sample += late_ms;
        summarize(samples, other_load);
        m_result.let_go_ms = m_rounds.due_to_let_go_ms(m_overhead) + m_overhead.doubt_ms;
        return m_result.speedup ? measure_baseline() : Result<void>();
    }

    // The samples without what a baseline can have waited because of others. On a busy machine one that has
    // more threads waits longer than a candidate that has fewer; on others its threads wait for each other,
    // or until they have woken up, unless the kernel was at work during that very call.
    std::function<Samples(const std::string&)> without_waiting(const Samples& samples,
                                                               const OtherLoad& other_load) const {
        const bool busy = other_load.processors() > k_noticeable_load;
        const Samples& waited_ms = busy ? m_rounds.log().waited_ms : m_rounds.log().for_kernel_ms;
        double most_ms = busy ? std::numeric_limits<double>::max() : other_load.of_kernel_ms();
        if (on_gpu()) most_ms = 0;
        return [&samples, &waited_ms, most_ms](const std::string& baseline) {
            return without(samples, baseline, waited_ms.at(baseline), most_ms);
        };
    }

    // Where the threads of a side run is decided on a few calls, and can double its time. So no claim rests
    // on that: the side that seems slower is tried elsewhere, and stays where it is faster.
    Result<void> try_other_placements(const std::string& claim, const OtherLoad& other_load) {
        if (on_gpu() || m_stage.processors().size() < 2 || claimed() != claim) return {};
        const std::string side = claim == "slower" ? k_candidate : m_result.timings.baseline;
        if (side != k_candidate && !m_stage.may_place_better(side)) return {};
        const Placement before = placement_of(side);
        TRY_ASSIGN(const Placement better, find_better_placement(side));
        place_side(side, better);
        if (found() || better == before) return {};
        const RaceResult result = std::exchange(m_result, RaceResult{});
        const std::vector<std::string> notes = m_notes;
        TRY(time_against_history(other_load));
        if (found() || !m_result.speedup) return {};
        if ((m_result.speedup->value > result.speedup->value) == (claim == "slower")) return {};
        m_result = result;
        m_notes = notes;
        place_side(side, before);
        return {};
    }

    // As in the race, but on inputs that were seen before: nothing of this counts. Leaves it where it was
    // last.
    Result<Placement> find_better_placement(const std::string& side) {
        const Placement before = placement_of(side);
        Placement best = before;
        double best_ms = k_better_placed * m_result.median_of(side);
        for (const Placement placement : k_placements) {
            if (placement == before) continue;
            place_side(side, placement);
            TRY_ASSIGN(const Samples walls, call_some(m_sides, k_placed_rounds, true));
            if (found()) break;
            const double took_ms = median(kforge::net(walls, m_overhead).at(side));
            if (took_ms >= best_ms) continue;
            best = placement;
            best_ms = took_ms;
        }
        return best;
    }

    Placement placement_of(const std::string& side) const {
        return side == k_candidate ? *m_placement : m_stage.placement_of_baselines();
    }

    void place_side(const std::string& side, Placement placement) {
        if (side != k_candidate) return m_stage.place_baselines(placement);
        m_placement = placement;
        place(m_candidate.pid, placement, m_stage.processors());
    }

    // On the inputs of the last round; put there again where something depends on how long others take with
    // them: the candidate could have spoilt them since it was looked at, and mend that in its next call.
    Result<Samples> call_some(const std::vector<std::string>& sides, int rounds, bool again = false) {
        Samples walls;
        for (int round = 0; round < rounds && !found(); ++round) {
            if (again) TRY(m_stage.show_inputs());
            const bool look = again || round == rounds - 1;
            TRY(m_rounds.call_all(sides, look ? Check::inputs : Check::nothing, false, &walls));
        }
        return walls;
    }

    // What is left of wall times once the conversation is taken off. What that takes depends on what the
    // other processes have done before, so it is taken from the same rounds where these tell.
    Samples net(const Samples& walls) {
        if (walls.contains(k_nothing)) m_overhead = m_rounds.overhead(walls);
        return kforge::net(walls, m_overhead);
    }

    bool on_gpu() const { return m_rounds.on_gpu(); }
    bool in_doubt() const { return is_in_doubt(m_result.median_of(m_result.timings.baseline), m_overhead); }
    const std::optional<Verdict>& found() const { return m_rounds.found(); }

    // The baselines have been placed without the candidate.
    Result<void> warm_up(const std::vector<std::string>& sides) {
        if (on_gpu()) {  // threads of the host do not matter there
            for (int round = 0; round < k_first_watched && !found(); ++round) TRY(m_rounds.watch());
            return {};
        }
        // Nothing of this counts: it takes no inputs that were not seen before.
        TRY(m_rounds.stage_inputs());
        if (m_placement || m_stage.by_host()) {
            TRY(call_some(sides, k_warmup_rounds));
            return {};
        }
        std::map<Placement, std::vector<double>> calls_ms;
        for (const Placement placement : k_placements) {
            place(m_candidate.pid, placement, m_stage.processors());
            TRY_ASSIGN(const Samples walls, call_some({k_candidate}, k_warmup_rounds));
            if (found()) return {};
            calls_ms[placement] = net(walls).at(k_candidate);
        }
        place_side(k_candidate, best_placement(calls_ms));
        TRY(call_some(sides, 1));
        return {};
    }

    Result<void> run_series(Samples& samples) {
        const uint64_t bootstrap_seed = m_stage.seeds().next();
        std::vector<std::string> sides = m_sides;
        const Deadline budget = deadline_in(m_stage.spec().timing_budget_s);
        TRY(warm_up(sides));
        Samples walls;
        SurpriseSchedule schedule(m_candidate.surprises.size(), k_min_rounds, m_stage.seeds().next());
        SurpriseSchedule repeats(k_repeats, k_min_rounds, m_stage.seeds().next());
        m_rounds.reset();
        for (int round = 0; round < k_max_rounds && !found(); ++round) {
            if (round >= k_min_rounds && seconds_until(budget) <= 0) break;
            if (round >= k_min_rounds && (round - k_min_rounds) % k_look_every == 0) {
                samples = net(walls);
                if (timed_enough(samples, m_overhead, bootstrap_seed)) break;
                retire_hopeless(samples, sides, bootstrap_seed);
            }
            // Right after a call on the problem's own values.
            for ([[maybe_unused]] const size_t repeat : repeats.before(round))
                TRY(m_rounds.surprise(k_nearly_the_same));
            for (const size_t number : schedule.before(round))
                TRY(m_rounds.surprise(m_candidate.surprises[number]));
            // Those that there always are, then by lot: the candidate cannot tell which. One slow call of its
            // own can make these rounds all that there are: none of them may be left to luck.
            const bool check =
                round < k_min_rounds || m_rounds.random()() % (round < k_closely_watched ? 2 : 4) == 0;
            TRY(m_rounds.run(sides, check ? Check::all : Check::nothing, false, &walls));
            if (on_gpu() && !found() && m_rounds.random()() % k_watch_every == 0) TRY(m_rounds.watch());
        }
        if (!found()) samples = net(walls);
        return {};
    }

    // A stopped player may have left work to the kernel's threads. So no claim rests on time that a baseline
    // has waited for these, or for whoever else is at work, nor on what the candidate may have done after its
    // calls or in a few of them: the lower end is without.
    void summarize(const Samples& samples, const OtherLoad& other_load) {
        Timings& timings = m_result.timings;
        timings.overhead_ms = m_overhead.least_ms;
        timings.doubt_ms = m_overhead.doubt_ms;
        timings.threads = m_stage.threads();
        timings.processors = m_stage.processors();
        timings.baseline = fastest(samples, is_plain);
        timings.same_permission_baseline = fastest(samples, is_any);
        timings.series = series_of(samples);
        for (Series& side : timings.series) {
            side.device_ms = median(m_rounds.log().device_ms.at(side.name));
            if (side.device_ms > k_disagreement * side.median_ms + k_event_ms)
                m_notes.push_back(
                    fmt::format("{}: the GPU's own events say {:.3f} ms, the clock {:.3f} ms: one of them "
                                "is wrong",
                                side.name, side.device_ms, side.median_ms));
        }
        const uint64_t seed = m_stage.seeds().next();
        const auto alone = without_waiting(samples, other_load);
        const auto over = [&](const std::string& baseline) -> std::optional<Interval> {
            if (baseline.empty()) return std::nullopt;
            Interval speedup = speedup_of(baseline, samples, seed);
            // Nor on calls that are much work, where it loses in others what it gains there.
            const Interval late = ratio_interval(as_in_the_mean(samples.at(baseline)),
                                                 plus(samples.at(k_candidate), m_unseen.unclear_ms), seed);
            speedup.low = std::min(
                {speedup.low, late.low, speedup_over(baseline, alone(baseline), m_overhead, seed).low});
            return speedup;
        };
        m_result.speedup = over(timings.baseline);
        m_result.same_permission_speedup = over(timings.same_permission_baseline);
    }

    Interval speedup_of(const std::string& baseline, const Samples& samples, uint64_t seed) const {
        const Interval by_clock = speedup_over(baseline, samples, m_overhead, seed);
        if (!on_gpu()) return by_clock;
        return agreed(by_clock, baseline, samples, m_rounds.log().device_ms, m_overhead, seed);
    }

    Result<void> measure_baseline() {
        const std::string& baseline = m_result.timings.baseline;
        TRY_ASSIGN(m_result.timings.noise,
                   measure_noise(m_stage, m_rounds, baseline, m_overhead, in_doubt()));
        if (on_gpu() || claimed() != "faster") return {};
        TRY_ASSIGN(m_result.baseline_alone_ms, time_alone(m_stage, m_rounds, baseline, m_overhead));
        return {};
    }

    // Against what the baseline was before: that the candidate slows it down is no win. But a busy machine
    // slows down both, and that is no loss: the interval covers both.
    void allow_for_slow_baseline(double slowed) {
        m_result.speedup = allowing_for(*m_result.speedup, slowed);
        if (m_result.same_permission_speedup)
            m_result.same_permission_speedup = allowing_for(*m_result.same_permission_speedup, slowed);
        m_notes.push_back(fmt::format(
            "the baseline took {:.2f} times as long as before in this session: the speedup is over what it "
            "took before",
            slowed));
    }

    Result<void> run_cold() {
        std::vector<std::string> sides = {k_candidate, m_result.timings.baseline};
        Samples walls;
        m_rounds.reset();
        const Deadline budget = deadline_in(k_cold_budget * m_stage.spec().timing_budget_s);
        // Where the hot ones tell nothing, for all that is in doubt, no number of these does.
        for (int round = 0; round < k_cold_rounds; ++round) {
            if (round >= k_least_cold_rounds && (in_doubt() || seconds_until(budget) <= 0)) break;
            TRY(m_rounds.run(sides, Check::all, true, &walls));  // few, and a candidate can tell them
            if (found()) return {};
        }
        const Samples samples = net(walls);
        m_result.timings.cold = series_of(samples);
        m_result.timings.cold_speedup =
            speedup_of(m_result.timings.baseline, samples, m_stage.seeds().next());
        return {};
    }

    void note_conditions(double other_load) {
        m_result.timings.other_load = other_load;
        if (other_load > k_noticeable_load)
            m_notes.push_back(
                fmt::format("{:.1f} processors were busy with other work while it was timed", other_load));
    }

    Stage& m_stage;
    const WeightSet& m_weights;
    const Runner& m_candidate;
    GpuWatch m_watch;
    Rounds m_rounds;
    std::vector<std::string> m_sides;
    std::vector<std::string> m_notes;
    Overhead m_overhead;
    Rounds::Unseen m_unseen;
    std::optional<Placement> m_placement;  // of the candidate's threads
    RaceResult m_result;
};

}  // namespace

double RaceResult::median_of(const std::string& side) const {
    for (const Series& series : timings.series)
        if (series.name == side) return series.median_ms;
    return 0;
}

Result<std::variant<RaceResult, Verdict>> race(Stage& stage, const WeightSet& weights,
                                               const Runner& candidate) {
    return Race(stage, weights, candidate).run();
}

}  // namespace kforge
