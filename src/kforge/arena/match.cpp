#include "kforge/arena/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "kforge/arena/statistics.hpp"
#include "kforge/util/random.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

struct CheckCase {
    const char* name;
    int weights;
    bool by_policy;
};

// Each weight set gets a fresh instance. The problem's own values and weights come first: most mistakes show
// there. With the last set it is timed.
const std::vector<CheckCase> k_first_checks = {{"given", 0, true}};
const std::vector<CheckCase> k_modest_checks = {{"given", 4, true}};
const std::vector<CheckCase> k_last_checks = {{"normal", 2, true}, {"given", 2, true}};
// These come with the problem's own weights, with such as are far from them, or with such as are not, by lot:
// nobody shall be able to tell by the weights what he is asked. Where a result may hang by a thread no policy
// applies.
constexpr const char* k_unusual[] = {"negative", "large", "offset", "tiny", "uneven", "zeros"};
constexpr int k_weights_by_lot[] = {0, 1, 4};
// These come between timed calls only, where the unusual ones of those above come again: a candidate does not
// know until when it is checked.
const std::vector<CheckCase> k_later_checks = {
    {"rows", 2, false},           {"ties", 2, false},     {"outliers", 2, false},   {"prevailing", 2, false},
    {"other constants", 2, true}, {"tails", 2, true},     {"within", 2, false},     {"lines", 2, false},
    {"ordered", 2, false},        {"combined", 2, false}, {"composed 1", 2, false}, {"composed 2", 2, false},
};
// Some of these come with modest weights as well, drawn by lot, but for the one that most mistakes show in.
const CheckCase k_modest_constants = {"other constants", 4, true};
constexpr size_t k_more_by_lot = 2;
// Weights that may change between calls need not all change: one of each parameter differs from those before.
const CheckCase k_live_check = {"normal", 3, true};
const std::vector<const char*> k_batch_variations = {"batch 1", "batch half", "batch less one"};
const std::vector<const char*> k_stride_variations = {"strides transposed", "strides sliced"};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Called for the comparison of every case that the precision policy applies to.
using Note = std::function<void(const Comparison&, const std::string&)>;

std::vector<CheckCase> draw_checks(uint64_t seed) {
    Lots random(seed);
    int weights[std::size(k_unusual)];  // as many of each
    for (size_t i = 0; i < std::size(weights); ++i)
        weights[i] = k_weights_by_lot[i % std::size(k_weights_by_lot)];
    std::shuffle(std::begin(weights), std::end(weights), random);
    std::vector<CheckCase> unusual = k_modest_checks;
    for (size_t i = 0; i < std::size(k_unusual); ++i) unusual.push_back({k_unusual[i], weights[i], false});
    unusual.push_back(k_modest_constants);
    std::vector<CheckCase> later = k_later_checks;
    std::shuffle(later.begin(), later.end(), random);
    for (size_t i = 0; i < k_more_by_lot; ++i)
        unusual.push_back({later[i].name, random() % 2 == 0 ? 0 : 4, later[i].by_policy});
    std::stable_sort(unusual.begin(), unusual.end(),
                     [](const CheckCase& a, const CheckCase& b) { return a.weights < b.weights; });
    std::vector<CheckCase> checks = k_first_checks;
    checks.insert(checks.end(), unusual.begin(), unusual.end());
    checks.insert(checks.end(), k_last_checks.begin(), k_last_checks.end());
    return checks;
}

Result<Finding> run_check(Contender& contender, const CheckCase& item, const Note& note) {
    Comparison comparison;
    TRY_ASSIGN(Finding found, contender.run_case(item.name, item.by_policy, &comparison));
    if (item.by_policy) note(comparison, item.name);
    return found;
}

Result<Finding> run_checks(Contender& contender, const Policies& policies, const Note& note,
                           const std::vector<CheckCase>& more) {
    std::vector<CheckCase> checks = draw_checks(contender.draw_seed());
    checks.insert(checks.end(), more.begin(), more.end());
    if (policies.weights == Weights::live) checks.push_back(k_live_check);
    int weights = -1;
    for (const CheckCase& item : checks) {
        if (item.weights != weights) {
            weights = item.weights;
            TRY_ASSIGN(const Finding found, contender.use_weights(weights));
            if (found) return found;
        }
        TRY_ASSIGN(const Finding found, run_check(contender, item, note));
        if (found) return found;
    }
    // The same inputs once more: what passed must pass again.
    TRY_ASSIGN(const Finding found, run_check(contender, checks.back(), note));
    if (!found || found->state != State::mismatch) return found;
    return Finding(Verdict::because(Reason::nondeterministic,
                                    "The same inputs passed first and failed later:\n" + found->evidence));
}

Result<Finding> check_contender(Contender& contender, const Policies& policies,
                                const std::function<Note()>& begin, const std::vector<CheckCase>& more = {}) {
    TRY_ASSIGN(const Finding refused, contender.attach());
    if (refused) return refused;
    TRY_ASSIGN(const Finding found, run_checks(contender, policies, begin(), more));
    if (!found || found->state != State::mismatch || !contender.fall_back_on_a_seed(*found)) return found;
    return run_checks(contender, policies, begin(), more);
}

}  // namespace

Result<Match> Match::open(Stage& stage, const Submission& submission) {
    const auto start = std::chrono::steady_clock::now();
    TRY_ASSIGN(Player player, stage.spawn_player(submission));
    Match match(stage, Contender(stage, std::move(player), submission));
    match.m_evaluation.phases.push_back(Phase{"start", seconds_since(start)});
    return match;
}

// Does the work unless something was found before, and notes how long it took.
template <typename Step>
Result<void> Match::step(const char* name, Step work) {
    if (m_found) return {};
    const auto start = std::chrono::steady_clock::now();
    TRY_ASSIGN(m_found, work());
    m_evaluation.phases.push_back(Phase{name, seconds_since(start)});
    return {};
}

Result<void> Match::load() {
    // One that is compiled for long opens the GPU whenever it is done.
    const bool builds = builds_inline(m_contender.submission().source);
    TRY(step("load", [&] {
        return first_finding([&] { return builds ? Result<Finding>(Finding()) : m_contender.open_device(); },
                             [&] { return m_contender.load(); });
    }));
    return make_room();
}

Result<void> Match::rehearse(const Stage::Rehearsal& rehearsal) {
    // What measures its own variants must have the GPU to itself.
    if (m_contender.submission().source.find("autotune") != std::string::npos) return {};
    TRY(step("rehearse", [&] { return m_contender.rehearse(rehearsal); }));
    return make_room();
}

// What it holds, such as all of a GPU's memory, others may need meanwhile.
Result<void> Match::make_room() {
    if (m_found) m_contender.finish();
    return {};
}

Result<void> Match::prepare_checks(const std::function<bool()>& waiting) {
    WeightSet weights;
    for (const std::vector<CheckCase>* checks :
         {&k_first_checks, &k_modest_checks, &k_last_checks, &k_later_checks})
        for (const CheckCase& item : *checks) {
            if (checks != &k_later_checks && m_checked) break;
            if (!waiting()) return {};
            weights.index = item.weights;
            TRY(m_stage.stage_case(item.name, weights));
        }
    return {};
}

std::vector<Surprise> Match::surprises() {
    std::vector<Surprise> surprises;
    for (const CheckCase& item : k_later_checks) surprises.push_back({item.name, false, item.by_policy});
    for (const char* name : k_unusual) surprises.push_back({name, true, false});
    return surprises;
}

// By the kernel, where all of them together took more memory than there is, or by itself.
bool Match::was_killed() const {
    return (!m_found || m_found->reason == Reason::crash) && m_contender.was_killed();
}

bool Match::may_do_better_alone() const {
    if (was_killed()) return true;
    if (!m_found) return false;
    const std::optional<Reason> reason = m_found->reason;
    if (reason == Reason::timeout) return true;
    return m_stage.gpu() != nullptr &&
           (reason == Reason::out_of_memory || reason == Reason::device_fault || reason == Reason::crash);
}

bool Match::lacked_headers() {
    return m_found && m_stage.gave_too_few_headers(m_contender.submission().source, *m_found);
}

Result<void> Match::check() {
    if (std::exchange(m_checked, true)) return {};
    m_stage.end_retired();
    TRY(step("check", [&] {
        return check_contender(m_contender, m_stage.spec().policies, [&]() -> Note {
            m_evaluation.error.reset();
            m_shares.clear();
            return
                [&](const Comparison& comparison, const std::string& name) { note_error(comparison, name); };
        });
    }));
    return make_room();
}

Result<Evaluation> Match::finish() {
    TRY(m_stage.clear_buffers());
    TRY(step("time", [&] { return time(); }));
    TRY(step("kernels", [&] { return require_kernels(); }));
    m_stage.end_retired();  // what follows is not timed
    TRY(step("vary", [&] { return vary(); }));
    TRY(step("provenance", [&] { return prove_kernels(); }));
    TRY(step("sanitize", [&] { return sanitize(); }));
    m_evaluation.verdict = m_found ? *m_found : Verdict::correct(correct_evidence());
    if (!m_evaluation.verdict.is_correct()) {
        m_evaluation.speedup.reset();
        m_evaluation.same_permission_speedup.reset();
        m_evaluation.claim.clear();
    }
    m_evaluation.open_promises = m_contender.open_promises();
    if (!m_not_sanitized.empty())
        m_evaluation.open_promises.push_back(
            fmt::format("memory is accessed within its bounds ({})", m_not_sanitized));
    m_evaluation.output = elide_middle(m_contender.printed(), 8000);
    const auto start = std::chrono::steady_clock::now();
    if (m_stage.gpu() != nullptr) {
        m_stage.gpu()->forget_others();
        // Nothing of what it has launched may go on beside the next one.
        bool in_the_way = m_found || m_contender.holds_much();
        if (!in_the_way) {
            TRY_ASSIGN(in_the_way, m_stage.gpu()->is_at_work());
        }
        m_stage.retire(m_contender.release_player());
        if (in_the_way) m_stage.end_retired();
    } else {
        m_contender.finish();
    }
    m_evaluation.phases.push_back(Phase{"end", seconds_since(start)});
    return std::move(m_evaluation);
}

// One comparison is a matter of luck, which decides the largest error of either side.
Finding Match::usually_too_far_off() const {
    if (m_stage.spec().policies.precision != Precision::accurate) return Finding();
    for (size_t output = 0; output < m_shares.size(); ++output)
        if (const double share = median(m_shares[output]); share > 1)
            return Finding(Verdict::because(
                Reason::values,
                fmt::format(
                    "output {}: in the middle of {} comparisons its largest error against fp64 is {:.2f} "
                    "times as large as the policy 'accurate' allows: 1.25 times that of eager, or 8 "
                    "units of the last place",
                    output, m_shares[output].size(), share)));
    return Finding();
}

void Match::note_error(const Comparison& comparison, const std::string& name) {
    m_shares.resize(std::max(m_shares.size(), comparison.shares.size()));
    for (size_t output = 0; output < comparison.shares.size(); ++output)
        m_shares[output].push_back(comparison.shares[output]);
    if (comparison.epsilon == 0 || comparison.bound) return;  // no floating-point values, or not their error
    const Precision precision = m_stage.spec().policies.precision;
    if (m_evaluation.error && m_evaluation.error->candidate >= comparison.error) return;
    m_evaluation.error =
        ErrorReport{comparison.error, comparison.eager_error, error_limit(comparison, precision),
                    std::string(to_string(precision)), name};
}

// Where it was asked for, and where a variation has brought the candidate down: its memory accesses are
// suspect.
Result<Finding> Match::sanitize() {
    const bool wanted = m_stage.spec().sanitize;
    if (m_stage.gpu() == nullptr) {
        if (wanted) m_not_sanitized = "--sanitize is for NVIDIA's GPUs: elsewhere nothing looks at this";
        return Finding();
    }
    const auto& items = m_evaluation.generality;
    const bool suspicious = std::any_of(items.begin(), items.end(),
                                        [](const GeneralityItem& item) { return item.outcome == "crash"; });
    if (!wanted && !suspicious) return Finding();
    std::string not_done;
    TRY_ASSIGN(const Finding found, sanitize_in_player(m_stage, m_contender.submission(), not_done));
    if (!not_done.empty())
        m_not_sanitized = wanted ? not_done : "a variation has brought it down, and " + not_done;
    return found;
}

// Other leading sizes and strides: always measured; a failure counts only where the policy requires it.
Result<Finding> Match::vary() {
    const Policies& policies = m_stage.spec().policies;
    Finding required_failure;
    for (const char* name : k_batch_variations)
        TRY(try_variation(name, policies.require_batch, required_failure));
    for (const char* name : k_stride_variations)
        TRY(try_variation(name, policies.require_strides, required_failure));
    return required_failure;
}

Result<void> Match::try_variation(const char* name, bool required, Finding& required_failure) {
    GeneralityItem item{name, "pass", ""};
    if (!m_contender.running()) {
        item.outcome = "not_measured";
        item.detail = "the player had ended";
    } else {
        std::string not_applicable;
        TRY_ASSIGN(const Finding found, m_contender.run_case(name, false, nullptr, &not_applicable));
        if (!not_applicable.empty()) {
            item.outcome = "not_applicable";
            item.detail = not_applicable;
        } else if (found) {
            item.outcome = m_contender.running() ? "fail" : "crash";
            item.detail = elide_middle(found->evidence, 600);
            if (required && !required_failure)
                required_failure = Verdict::because(Reason::generalization, found->evidence);
        }
    }
    m_evaluation.generality.push_back(std::move(item));
    return {};
}

std::string Match::correct_evidence() const {
    std::string evidence = "agrees with the reference";
    if (m_evaluation.error)
        evidence +=
            fmt::format("; largest error against fp64 {:.3g} (eager {:.3g}, limit {:.3g})",
                        m_evaluation.error->candidate, m_evaluation.error->eager, m_evaluation.error->limit);
    if (m_work)
        evidence += fmt::format("; {:.2g} % of its time in kernels of its own", 100 * m_work->own_share());
    return evidence;
}

Result<Verdict> confirm_in_player(Stage& stage, const Submission& submission) {
    TRY(stage.reseed());
    // With nothing of its earlier life: a candidate must not be able to tell that it has passed before.
    TRY_ASSIGN(Player player, stage.spawn_player(submission, true));
    Contender contender(stage, std::move(player), submission);
    const auto ignore = []() -> Note { return [](const Comparison&, const std::string&) {}; };
    TRY_ASSIGN(const Finding found, first_finding([&] { return contender.load(); },
                                                  [&] {
                                                      return check_contender(contender, stage.spec().policies,
                                                                             ignore, k_later_checks);
                                                  }));
    if (stage.gpu() != nullptr) stage.gpu()->forget_others();  // or its memory would outlive it
    if (found && stage.gave_too_few_headers(submission.source, *found))
        return confirm_in_player(stage, submission);
    return found ? *found : Verdict::correct("agrees with the reference on new inputs and weights");
}

}  // namespace kforge
