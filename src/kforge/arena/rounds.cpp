#include "kforge/arena/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kforge/arena/statistics.hpp"

namespace kforge {
namespace {

// Of the quickest answer without a call: how much sooner a call may be answered by chance. On a GPU that is
// an empty call, whose kernel may be slower to launch than the candidate's.
constexpr double k_allowance = 0.9;
constexpr double k_gpu_allowance = 0.75;
// Times what it takes to let a result go, or what the middle call takes: the interpreter may find other
// things to do.
constexpr double k_noticeable = 2;

}  // namespace

Result<void> Rounds::stage_inputs(std::optional<Values> values) {
    if (m_found) return {};
    TRY_ASSIGN(const nlohmann::json spec,
               m_stage.stage_round(m_weights, values.value_or(m_candidate.values)));
    return hand_out(spec);
}

Result<void> Rounds::hand_out(const nlohmann::json& spec) {
    if (m_bound) {
        TRY(m_stage.baseline_tell(spec));
        TRY_ASSIGN(m_found, m_candidate.tell(spec));
        return {};
    }
    // Binding is not timed: the candidate must not see yet what it is going to be timed on.
    TRY(m_stage.hide_inputs());
    TRY(m_stage.baseline_bind(spec));
    TRY_ASSIGN(m_found, m_candidate.bind(spec));
    m_bound = true;
    return m_stage.show_inputs();
}

Result<void> Rounds::watch(std::optional<Values> values) {
    TRY(stage_inputs(values));
    return call_watched(nullptr);
}

Result<void> Rounds::call_unseen() {
    TRY(call_candidate());
    return end_call(Check::nothing);
}

Result<void> Rounds::surprise(const Surprise& surprise) {
    if (m_found) return {};
    TRY_ASSIGN(const Stage::StagedCase staged,
               m_stage.stage_case(surprise.name, m_weights, surprise.leniently));
    if (!staged.applicable) return {};
    TRY(hand_out(staged.spec));
    return call_watched(&surprise);
}

Result<void> Rounds::call_watched(const Surprise* surprise) {
    if (m_found) return {};
    bool restless = false;
    TRY(call_candidate(&restless));
    m_watch.note_call(restless);
    return end_call(Check::all, surprise);
}

// Of the candidate, the finding in it is in m_found.
Result<double> Rounds::call(const std::string& side) {
    if (side == k_candidate) return call_candidate();
    if (!side.starts_with(k_echo)) return call_baseline(side);
    const std::vector<int>& processors = m_stage.processors();
    if (side == k_echo || processors.empty()) return m_stage.echo_go(processors);
    return m_stage.echo_go(std::vector<int>{side == k_echo_first ? processors.front() : processors.back()});
}

// It may not survive what the candidate has made of the inputs, or be long about it.
Result<double> Rounds::call_baseline(const std::string& side) {
    Result<double> took = m_stage.baseline_go(side);
    if (took.ok() || took.error().kind == ErrorKind::cancelled || on_gpu()) return took;
    TRY_ASSIGN(const std::optional<std::string> changed, m_stage.inputs_changed());
    if (!changed) return took;
    m_stage.forget_baselines();
    m_found = Verdict::because(Reason::integrity, "timed call: " + *changed);
    return 0.0;
}

Result<double> Rounds::call_alone(const std::string& baseline) {
    if (!on_gpu()) TRY(call(k_echo));
    return call_baseline(baseline);
}

Result<void> Rounds::run(const std::vector<std::string>& sides, Check check, bool cold, Samples* walls) {
    TRY(stage_inputs());
    return call_all(sides, check, cold, walls);
}

Result<double> Rounds::run_without_candidate(const std::string& baseline) {
    TRY(stage_inputs());
    std::vector<std::string> order = {baseline};
    add_conversations(order, false);
    std::shuffle(order.begin(), order.end(), m_random);
    double took_ms = 0;
    for (const std::string& side : order) {
        TRY_ASSIGN(const double wall_ms, call(side));
        if (side == baseline) took_ms = wall_ms;
    }
    return took_ms;
}

// With empty caches a conversation takes what it takes: emptying them for it would take longer still.
void Rounds::add_conversations(std::vector<std::string>& order, bool cold) const {
    if (on_gpu() || !cold) order.push_back(k_nothing);
    if (in_two_steps())
        order.push_back(k_echo);
    else if (!cold)
        order.insert(order.end(), {k_echo, k_echo_first, k_echo_last});
}

Result<void> Rounds::call_all(const std::vector<std::string>& sides, Check check, bool cold, Samples* walls) {
    std::vector<std::string> order = sides;
    add_conversations(order, cold);
    std::shuffle(order.begin(), order.end(), m_random);
    // Before every call alike, as it takes something from the caches.
    if (!in_two_steps()) kernel_worked_ms();
    for (const std::string& side : order) {
        if (m_found) return {};
        if (cold) TRY(empty_caches());
        TRY_ASSIGN(const double wall_ms, call(side));
        (*walls)[side].push_back(wall_ms);
        m_log.device_ms[side].push_back(side == k_candidate ? m_candidate.device_ms()
                                                            : m_stage.baseline_device_ms());
        if (in_two_steps() ? side == k_nothing : side.starts_with(k_echo)) m_least_ms.push_back(wall_ms);
        const double waited_ms = side == k_candidate ? 0 : m_stage.baseline_waited_ms();
        m_log.waited_ms[side].push_back(waited_ms);
        m_log.for_kernel_ms[side].push_back(
            in_two_steps() ? 0 : std::min(waited_ms, kernel_worked_ms().value_or(waited_ms)));
        if (side != k_candidate && !side.starts_with(k_echo))
            m_log.let_go_ms[side].push_back(m_stage.baseline_let_go_ms());
        if (side != k_candidate) continue;
        m_log.used_ms.push_back(m_candidate.used_ms());
        m_full_ms.push_back(wall_ms);
        m_awake_ms.push_back(m_candidate.awake_ms());
    }
    return end_call(check);
}

// Since it was asked last.
std::optional<double> Rounds::kernel_worked_ms() {
    if (!m_kernel) m_kernel.emplace();
    return m_kernel->ms();
}

Result<void> Rounds::empty_caches() {
    if (on_gpu()) return m_stage.gpu()->flush_cache();
    m_stage.cache_sweep().run();
    return {};
}

Overhead Rounds::overhead(const Samples& walls) const {
    return in_two_steps() ? overhead_on_gpu(walls, median(m_log.device_ms.at(k_nothing)))
                          : overhead_of(walls);
}

void Rounds::find_missing_overhead() {
    const double full_ms = median(m_full_ms);
    const double allowance = in_two_steps() ? k_gpu_allowance : k_allowance;
    const double least_ms = *std::min_element(m_least_ms.begin(), m_least_ms.end());
    if (full_ms >= allowance * least_ms) return;
    m_found =
        Verdict::because(Reason::integrity, fmt::format("Its calls were answered in {:.3g} ms; an empty "
                                                        "call takes {:.3g} ms at best. What passes the "
                                                        "calls on to forward() was replaced.",
                                                        full_ms, least_ms));
}

Result<double> Rounds::call_candidate(bool* restless) {
    TRY_ASSIGN(const auto run, m_candidate.go(restless));
    if (const Verdict* verdict = std::get_if<Verdict>(&run)) {
        m_found = *verdict;
        return 0.0;
    }
    return std::get<double>(run);
}

// After every side has had its call: what the referee and the player do here, no side of this round feels.
Result<void> Rounds::end_call(Check check, const Surprise* surprise) {
    if (check == Check::all && !m_found) {
        TRY_ASSIGN(m_found, m_candidate.check(surprise));
    } else if (check == Check::inputs && !m_found) {
        TRY_ASSIGN(const std::optional<std::string> changed, m_stage.inputs_changed());
        if (changed) m_found = Verdict::because(Reason::integrity, "timed call: " + *changed);
    }
    if (m_found) return {};
    TRY_ASSIGN(m_found, m_candidate.drop());
    m_log.let_go_ms[k_candidate].push_back(m_candidate.let_go_ms());
    return {};
}

// On a GPU results are let go in a process that is not at rest, and the processors do little of the work.
Rounds::Unseen Rounds::unseen(const Samples& samples, const Overhead& overhead,
                              std::vector<std::string>& notes) const {
    if (in_two_steps()) return {};
    const Unseen late = late_end(overhead, notes), uneven = unevenness(samples, notes);
    return {late.certain_ms + uneven.certain_ms, late.unclear_ms + uneven.unclear_ms};
}

// Work for several calls at once, such as results that are written in advance, does not show in the middle
// one. By processor time, which others do not have a part in; what makes the baselines uneven is no work.
Rounds::Unseen Rounds::unevenness(const Samples& samples, std::vector<std::string>& notes) const {
    const auto share_beyond_median = [](const std::vector<double>& values) {
        return median(values) > 0 ? std::max(mean(values) / median(values) - 1, 0.0) : 0.0;
    };
    double noise = 0;
    for (const auto& [side, values] : samples)
        if (side != k_candidate) noise = std::max(noise, share_beyond_median(values));
    const double share = std::max(share_beyond_median(m_log.used_ms) - noise, 0.0);
    const std::vector<double>& walls_ms = samples.at(k_candidate);
    const double ms = share * median(walls_ms);
    // Threads that wait awake use processors for nothing: what is much work for once takes longer as well.
    const double longer_ms = std::max(mean(walls_ms) - median(walls_ms), 0.0);
    if (1 + share < k_noticeable) return {0, std::min(ms, longer_ms)};
    notes.push_back(fmt::format(
        "some of its calls do the work of others: {:.3f} ms more in the mean, which are in its time", ms));
    return {ms, 0};
}

double Rounds::due_to_let_go_ms(const Overhead& overhead) const {
    double baseline_ms = 0;
    for (const auto& [side, values] : m_log.let_go_ms)
        if (side != k_candidate) baseline_ms = std::max(baseline_ms, median(values));
    return baseline_ms + overhead.least_ms;
}

// What the candidate does in each round to let its result go, beyond what that takes. Of the candidate the
// mean: it may do the work of many calls at once.
Rounds::Unseen Rounds::late_end(const Overhead& overhead, std::vector<std::string>& notes) const {
    const double candidate_ms = mean(m_log.let_go_ms.at(k_candidate));
    const double due_ms = due_to_let_go_ms(overhead);
    const double late_ms = candidate_ms - due_ms, certain_ms = late_ms - overhead.doubt_ms;
    if (candidate_ms < k_noticeable * (due_ms + overhead.doubt_ms)) return {0, std::max(late_ms, 0.0)};
    notes.push_back(fmt::format(
        "it worked {:.3f} ms after each call, while its result was let go: that is in its time", certain_ms));
    return {certain_ms, overhead.doubt_ms};
}

}  // namespace kforge
