// The part of Match that times.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kforge/arena/match.hpp"
#include "kforge/arena/own_weights.hpp"
#include "kforge/arena/processors.hpp"
#include "kforge/arena/race.hpp"
#include "kforge/arena/statistics.hpp"
#include "kforge/arena/stretch.hpp"
#include "kforge/util/random.hpp"

namespace kforge {
namespace {

// What a GPU's cache can give at most, times what its memory can: inputs may still be there.
constexpr double k_cache_to_memory = 4;

// Results of calls with other values that are held until the end, by lot: however many buffers are used in
// turn, one of them is still its caller's when it comes again.
constexpr int k_held_in_race = 2;
constexpr unsigned k_one_held_in = 6;

// What could not be varied may be known, or remembered: what is quick for that only looks just as quick.
void claim_nothing(RaceResult& result, const char* why) {
    for (std::optional<Interval>* speedup : {&result.speedup, &result.same_permission_speedup})
        if (*speedup) (*speedup)->low = std::min((*speedup)->low, 1.0);
    if (result.claim != "faster") return;
    result.claim = claim(*result.speedup, *result.timings.noise);
    result.timings.notes.push_back(why);
}

constexpr const char* k_of_a_seed =
    "its weights are those of a seed and could not be varied: no speedup is claimed. A ModelNew whose "
    "parameters have the reference's names and shapes, and that prepares nothing of them before its first "
    "call, "
    "is given others";
constexpr const char* k_kept =
    "its buffers, or weights that are live, do not lie as those of the reference and could not be varied "
    "between "
    "timed calls: no speedup is claimed";

}  // namespace

Result<Finding> Match::time() {
    m_contender.allow(m_stage.spec().timing_budget_s + m_stage.spec().call_limit_s);
    Runner runner;
    runner.pid = m_contender.pid();
    runner.bind = [&](const nlohmann::json& spec) { return m_contender.bind(spec); };
    runner.tell = [&](const nlohmann::json& spec) { return m_contender.tell(spec); };
    runner.go = [&](bool* restless) -> Result<std::variant<double, Verdict>> {
        TRY_ASSIGN(const Finding found, m_contender.go(k_in_a_timed_call, nullptr, true, restless));
        if (found) return std::variant<double, Verdict>(*found);
        double wall_ms = 0;
        if (const Finding unfit = m_contender.last_wall_ms(wall_ms))
            return std::variant<double, Verdict>(*unfit);
        return std::variant<double, Verdict>(wall_ms);
    };
    runner.used_ms = [&] { return m_contender.last_used_ms(); };
    runner.awake_ms = [&] { return m_contender.last_awake_ms(); };
    runner.device_ms = [&] { return m_contender.last_device_ms(); };
    runner.surprises = surprises();
    bool was_surprise = false;
    int held = 0;
    runner.check = [&](const Surprise* surprise) -> Result<Finding> {
        was_surprise = surprise != nullptr;
        const std::string name = surprise != nullptr ? surprise->name : "timed call";
        const bool by_policy = surprise == nullptr || surprise->by_policy;
        Comparison comparison;
        TRY_ASSIGN(Finding found, m_contender.compare(name, by_policy, &comparison));
        if (by_policy) note_error(comparison, name);
        return found;
    };
    // Calls in which it is looked at come in between by lot, so that a candidate cannot behave for them
    // alone.
    Lots random(m_stage.seeds().next());
    const bool look = m_stage.spec().policies.kernels == Kernels::required;
    double let_go_ms = 0;
    runner.let_go_ms = [&] { return let_go_ms; };
    runner.drop = [&, look]() -> Result<Finding> {
        const bool hold = std::exchange(was_surprise, false) && held < k_held_in_race &&
                          random() % k_one_held_in == 0 && m_contender.may_hold();
        held += hold ? 1 : 0;
        TRY_ASSIGN(const Finding found, m_contender.drop(hold));
        let_go_ms = m_contender.last_busy_ms();
        const std::optional<Work> work = look ? m_contender.work() : std::nullopt;
        if (found || !work || has_seen_enough(*work) || random() % 2 == 0) return found;
        return m_contender.sample_call();
    };
    TRY_ASSIGN(auto outcome, race(m_stage, m_contender.weights(), runner));
    if (const Verdict* verdict = std::get_if<Verdict>(&outcome)) return Finding(*verdict);
    RaceResult& result = std::get<RaceResult>(outcome);
    note_times(result);
    TRY_ASSIGN(const Finding found,
               first_finding([&] { return hold_to_stretch(m_stage, m_contender, result); },
                             [&] { return hold_to_own_weights(m_stage, m_contender, runner, result); },
                             // Last: what is called when results were held finds no memory that it knows.
                             [&] { return m_contender.find_changed_outputs(); }));
    if (found) return found;
    if (m_contender.has_own_weights()) claim_nothing(result, k_of_a_seed);
    if (m_contender.keeps_what_may_change()) claim_nothing(result, k_kept);
    note_times(result);
    confine(m_contender.pid(), m_stage.processors());  // as before: the race has placed its threads
    return first_finding([&] { return faster_than_physics(); },
                         [&] { return Result<Finding>(usually_too_far_off()); });
}

void Match::note_times(const RaceResult& result) {
    m_evaluation.timings = result.timings;
    m_evaluation.speedup = result.speedup;
    m_evaluation.same_permission_speedup = result.same_permission_speedup;
    m_evaluation.claim = result.claim;
}

// Every call must load its inputs and store its outputs.
Result<Finding> Match::faster_than_physics() {
    TRY_ASSIGN(const double bytes, m_stage.least_bytes());
    const double most = m_stage.spec().device == "cpu"
                            ? most_bytes_per_ms(static_cast<size_t>(m_stage.threads()))
                            : k_cache_to_memory * m_stage.spec().device_bytes_per_ms;
    const double least_ms = most > 0 ? bytes / most : 0;
    for (const Series& side : m_evaluation.timings->series)
        if (side.name == "candidate" && side.median_ms < least_ms)
            return Finding(Verdict::because(
                Reason::integrity,
                fmt::format(
                    "A call took {:.3g} ms. To load and store its {:.3g} MB takes this machine at least "
                    "{:.3g} ms: the work was not done in the call.",
                    side.median_ms, bytes / 1e6, least_ms)));
    return Finding();
}

}  // namespace kforge
