#include "kforge/arena/stretch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kforge/arena/result_places.hpp"
#include "kforge/arena/samples.hpp"
#include "kforge/arena/statistics.hpp"
#include "kforge/util/random.hpp"

namespace kforge {
namespace {

constexpr int k_first_calls = 3;  // in which an allocator may not have had the memory yet
// Buffers that are used in turn are fewer, and what is prepared in the first calls is used up in these.
constexpr int k_counted_calls = 10;
// So many times as many, where results lay in new places. An allocator that shares them with other memory
// goes on to where it has been sooner or later.
constexpr int k_parts = 6;
constexpr int k_check_every = 4;  // calls, by lot
constexpr int k_tries = 3;        // others may be at work meanwhile
constexpr size_t k_enough = 3;
constexpr double k_slower = 1.15;  // times what it took in the race: on a busy machine a mean is further off
constexpr int k_baseline_calls = 5;  // the first of which does not count

class Stretch {
  public:
    Stretch(Stage& stage, Contender& contender) : m_stage(stage), m_contender(contender) {}

    Result<Finding> run() {
        TRY_ASSIGN(Finding found, run_calls(k_first_calls, false));
        for (int part = 0; part < k_parts && !found; ++part) {
            m_places.begin_to_count();
            TRY_ASSIGN(found, run_calls(k_counted_calls, true));
            if (!m_places.find_mostly_new()) return found;
        }
        return found ? found : Finding(prepared(*m_places.find_mostly_new()));
    }

    // What a call takes: in the mean, as one may do the work of several, but no less than one whose result
    // lies where others have been, as nothing can have been written there in advance.
    double wall_ms() const {
        const double mean_ms = mean(m_walls_ms);
        return m_used_places_ms.size() < k_enough ? mean_ms : std::max(mean_ms, median(m_used_places_ms));
    }
    const std::vector<double>& let_go_ms() const { return m_let_go_ms; }

  private:
    Result<Finding> run_calls(int calls, bool count) {
        for (int call = 0; call < calls; ++call) {
            TRY_ASSIGN(const Finding found, run_call(count, m_random() % k_check_every == 0));
            if (found) return found;
        }
        return Finding();
    }

    Result<Finding> run_call(bool counts, bool check) {
        TRY_ASSIGN(const nlohmann::json spec, m_stage.stage_round(m_contender.weights()));
        return first_finding([&] { return m_contender.tell(spec); },
                             [&] { return m_contender.go(k_in_a_timed_call, nullptr, true); },
                             [&]() -> Result<Finding> {
                                 const bool is_fresh = m_places.note(m_contender.outputs(), counts);
                                 double wall_ms = 0;
                                 if (Finding unfit = m_contender.last_wall_ms(wall_ms)) return unfit;
                                 if (counts) m_walls_ms.push_back(wall_ms);
                                 if (counts && !is_fresh) m_used_places_ms.push_back(wall_ms);
                                 return check ? m_contender.compare("timed call", true) : Finding();
                             },
                             [&]() -> Result<Finding> {
                                 TRY_ASSIGN(const Finding found, m_contender.drop());
                                 if (counts) m_let_go_ms.push_back(m_contender.last_busy_ms());
                                 return found;
                             });
    }

    static Verdict prepared(const ResultPlaces::Count& found) {
        return Verdict::because(
            Reason::integrity,
            fmt::format(
                "In {} of the last {} calls of {}, one after the other, a result lay where none had been "
                "before, though all of those had been let go: memory that was prepared before the calls.",
                found.fresh, found.calls, k_first_calls + k_parts * k_counted_calls));
    }

    Stage& m_stage;
    Contender& m_contender;
    Lots m_random{m_stage.seeds().next()};
    ResultPlaces m_places;
    std::vector<double> m_walls_ms, m_used_places_ms, m_let_go_ms;
};

void slow_down(RaceResult& result, double slowed) {
    for (std::optional<Interval>* speedup : {&result.speedup, &result.same_permission_speedup})
        if (*speedup)
            **speedup = {(*speedup)->value / slowed, (*speedup)->low / slowed, (*speedup)->high / slowed};
    result.timings.notes.push_back(fmt::format(
        "with no calls in between that are not timed it took {:.2f} times as long: the speedup is by that",
        slowed));
}

// What may be noise: no claim rests on it.
void lower(RaceResult& result, double slowed) {
    for (std::optional<Interval>* speedup : {&result.speedup, &result.same_permission_speedup})
        if (*speedup) (*speedup)->low = std::min((*speedup)->low, (*speedup)->value / slowed);
}

// What a call of a baseline takes in a stretch of its own: nobody else uses the caches meanwhile, so less
// than in a race.
Result<double> baseline_ms(Stage& stage, const WeightSet& weights, const std::string& side) {
    std::vector<double> walls_ms;
    for (int call = 0; call < k_baseline_calls; ++call) {
        TRY_ASSIGN(const nlohmann::json spec, stage.stage_round(weights));
        TRY(stage.baseline_tell(spec));
        TRY_ASSIGN(const double wall_ms, stage.baseline_go(side));
        if (call > 0) walls_ms.push_back(wall_ms);
    }
    return median(walls_ms);
}

// Times as long as by the race it took in a stretch: by itself, and next to the baseline in one of its own.
struct Slowed {
    double alone = 0, beside = 0;
    double most() const { return std::max(alone, beside); }
};

}  // namespace

Result<Finding> hold_to_stretch(Stage& stage, Contender& contender, RaceResult& result) {
    if (result.claim != "faster") return Finding();
    TRY_ASSIGN(const std::optional<GpuTurn> turn, stage.take_turn());
    contender.allow(stage.spec().timing_budget_s + stage.spec().call_limit_s);
    const double doubt_ms = result.timings.doubt_ms, raced_ms = result.median_of(k_candidate);
    const double open = doubt_ms / raced_ms;
    const std::string& baseline = result.timings.baseline;
    const Overhead overhead{result.timings.overhead_ms, doubt_ms, stage.gpu() != nullptr};
    std::optional<Slowed> best;
    for (int attempt = 0; attempt < k_tries; ++attempt) {
        Stretch stretch(stage, contender);
        TRY_ASSIGN(const Finding found, stretch.run());
        if (found) return found;
        // What it does while a result is let go is work for the calls, but for what is due. On a GPU results
        // are let go in a process that is not at rest.
        const double late_ms =
            stage.gpu() != nullptr ? 0 : std::max(mean(stretch.let_go_ms()) - result.let_go_ms, 0.0);
        const double took_ms = net_ms(stretch.wall_ms(), overhead) + late_ms;
        TRY_ASSIGN(const double other_ms, baseline_ms(stage, contender.weights(), baseline));
        // Of these few calls all may be slower for what the candidate has set going in its last one.
        double alone_ms = net_ms(other_ms, overhead);
        if (result.baseline_alone_ms > 0) alone_ms = std::min(alone_ms, result.baseline_alone_ms);
        const Slowed slowed{took_ms / raced_ms,
                            slowed_alone(raced_ms, took_ms, result.median_of(baseline), alone_ms)};
        if (!best || slowed.most() < best->most()) best = slowed;
        if (best->most() <= k_slower + open) break;
    }
    if (best->most() <= 1 + open) return Finding();
    const double certain = best->alone > k_slower + open ? best->alone : 1;
    if (certain > 1) slow_down(result, certain);
    lower(result, best->most() / certain);
    result.claim = claim(*result.speedup, *result.timings.noise);
    return Finding();
}

}  // namespace kforge
