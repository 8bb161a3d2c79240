#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kforge/arena/arena.hpp"
#include "kforge/arena/contender.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

// An interpreter is thousands of times slower than a device: it gets this long for a call, and for all of
// them.
constexpr double k_interpreted_call_s = 60;
constexpr double k_interpreting_s = 45;
constexpr double k_checks_limit_s = 600;

struct InterpretedCase {
    const char* name;
    int weights;
    bool by_policy;
};
const std::vector<InterpretedCase> k_interpreted_cases = {{"given", 0, true},  {"normal", 1, true},
                                                          {"large", 1, false}, {"offset", 1, false},
                                                          {"ties", 2, false},  {"given", 2, true}};
// Where the problem's own shape takes too long. A candidate may refuse other sizes: then nothing is learnt.
const std::vector<InterpretedCase> k_small_cases = {{"batch 1", 0, false}, {"batch few", 0, false}};

// What one check had to say.
struct Outcome {
    Finding found;
    bool conclusive = true;
    std::vector<std::string> report;
    std::string shortfall;  // why a candidate that was loaded and called has passed nothing; empty: it has
};

// What was not compiled has not passed, whatever the reason.
std::string shortfall(const OfflineCheck& check, const CheckReport& report) {
    if (!report.tally || (report.tally->handed > 0 && report.tally->judged >= report.tally->handed))
        return "";
    if (report.tally->handed <= 0) return check.name + " was handed no code";
    return fmt::format("{} could judge {} of the {} sources that it was handed", check.name,
                       std::max<int64_t>(report.tally->judged, 0), report.tally->handed);
}

double elapsed_s(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class OfflineArena final : public Arena {
  public:
    OfflineArena(ArenaSpec spec, std::vector<OfflineCheck> checks, std::vector<std::string> notes)
        : m_stage(with_patience(std::move(spec))), m_checks(std::move(checks)), m_notes(std::move(notes)) {}

    bool has_device() const override { return false; }
    Result<VetReport> vet() override { return m_stage.vet(); }
    Result<ProblemFacts> facts() override {
        TRY(m_stage.open());
        return m_stage.facts();
    }
    Result<std::string> render(const RenderRequest& request) override { return m_stage.render(request); }

    Result<Evaluation> evaluate(const Submission& submission) override {
        TRY(m_stage.open());
        Evaluation evaluation;
        std::vector<std::string> passed;
        std::vector<std::string> shortfalls;
        std::vector<std::string> lines;
        std::optional<Reason> reason;
        for (const OfflineCheck& check : m_checks) {
            const auto start = std::chrono::steady_clock::now();
            TRY_ASSIGN(Outcome outcome, run(check, submission, evaluation));
            evaluation.phases.push_back(Phase{check.name, elapsed_s(start)});
            if (outcome.found) {
                evaluation.verdict = *outcome.found;
                evaluation.verdict.evidence =
                    fmt::format("{} (without the device): {}", check.name, evaluation.verdict.evidence);
                return evaluation;
            }
            for (const std::string& line : outcome.report) lines.push_back(check.name + ": " + line);
            if (!outcome.conclusive) continue;
            if (!outcome.shortfall.empty()) {
                shortfalls.push_back(outcome.shortfall);
                continue;
            }
            passed.push_back(check.name);
            TRY_ASSIGN(const Reason given, parse_reason(check.reason));
            if (!reason || given == Reason::interpreted) reason = given;
        }
        if (!reason && !shortfalls.empty()) reason = Reason::parsed;
        if (!reason)
            return Error{ErrorKind::environment,
                         fmt::format("the platform's device is not here, and no check without it came to an "
                                     "end:\n{}",
                                     join(lines, "\n"))};
        lines.insert(lines.end(), m_notes.begin(), m_notes.end());
        evaluation.verdict =
            Verdict::because(*reason, fmt::format("{}. Not timed, and not known to be correct.\n{}",
                                                  summary(passed, shortfalls), join(lines, "\n")));
        return evaluation;
    }

    Result<Verdict> confirm(const Submission&) override { return no_device(); }
    Result<std::string> profile(const Submission&) override { return no_device(); }

  private:
    static ArenaSpec with_patience(ArenaSpec spec) {
        spec.call_limit_s = std::max(spec.call_limit_s, k_interpreted_call_s);
        spec.time_limit_s = std::max(spec.time_limit_s, k_checks_limit_s);
        return spec;
    }

    static std::string summary(const std::vector<std::string>& passed,
                               const std::vector<std::string>& shortfalls) {
        const std::string short_of = join(shortfalls, "; ");
        if (passed.empty()) return "only loaded and called without the device: " + short_of;
        const std::string text = "passed without the device: " + join(passed, ", ");
        return short_of.empty() ? text : text + "; but " + short_of;
    }

    static Error no_device() {
        return Error{ErrorKind::environment, "the platform's device is not on this machine"};
    }

    Result<Outcome> run(const OfflineCheck& check, const Submission& submission, Evaluation& evaluation) {
        if (check.reason == "interpreted") return interpret(check, submission, evaluation);
        Outcome outcome;
        TRY_ASSIGN(Contender contender, start(check, submission));
        TRY_ASSIGN(const bool ready, prepare(contender, check, outcome));
        if (!ready) return outcome;
        CheckReport report;
        TRY_ASSIGN(outcome.found,
                   first_finding([&] { return contender.load(); }, [&] { return contender.attach(); },
                                 [&] { return contender.use_weights(0); },
                                 [&] { return contender.try_out(report); }));
        note_player(contender, evaluation);
        if (outcome.found) return outcome;
        outcome.report = report.lines;
        outcome.shortfall = shortfall(check, report);
        if (report.tally && report.tally->handed <= 0 && m_stage.spec().policies.kernels == Kernels::required)
            outcome.found = Verdict::because(
                Reason::guardrail,
                fmt::format("The policy requires that kernels of the candidate's own do the work, and in a "
                            "call there were none: {}.",
                            join(report.lines, "; ")));
        return outcome;
    }

    Result<Contender> start(const OfflineCheck& check, const Submission& submission) {
        TRY_ASSIGN(Player player, m_stage.spawn_player(submission, true, check.environment));
        return Contender(m_stage, std::move(player), submission);
    }

    // A checker that cannot work here is no fault of the candidate's, which is not even loaded yet.
    static Result<bool> prepare(Contender& contender, const OfflineCheck& check, Outcome& outcome) {
        TRY_ASSIGN(const Finding found, contender.prepare_check(check));
        if (!found) return true;
        outcome.conclusive = false;
        outcome.report.push_back("not possible here: " + found->evidence);
        return false;
    }

    void note_player(Contender& contender, Evaluation& evaluation) {
        evaluation.open_promises = contender.open_promises();
        if (m_stage.spec().sanitize)
            evaluation.open_promises.push_back(
                "memory is accessed within its bounds (--sanitize needs the platform's device)");
        evaluation.output = elide_middle(contender.printed(), 8000);
    }

    // Runs the candidate on CPU tensors and compares its results.
    Result<Outcome> interpret(const OfflineCheck& check, const Submission& submission,
                              Evaluation& evaluation) {
        Outcome outcome;
        TRY(interpret_cases(check, submission, k_interpreted_cases, outcome, evaluation));
        if (!outcome.found || outcome.found->reason != Reason::timeout) return outcome;
        Outcome small;
        small.report.push_back("too slow on the problem's own shape");
        TRY(interpret_cases(check, submission, k_small_cases, small, evaluation));
        // On another size the candidate may give up, by design: only a wrong result is its fault.
        if (small.found && small.found->state != State::mismatch) {
            small.found.reset();
            small.conclusive = false;
        }
        return small;
    }

    Result<void> interpret_cases(const OfflineCheck& check, const Submission& submission,
                                 const std::vector<InterpretedCase>& cases, Outcome& outcome,
                                 Evaluation& evaluation) {
        TRY_ASSIGN(Contender contender, start(check, submission));
        TRY_ASSIGN(const bool ready, prepare(contender, check, outcome));
        if (!ready) return {};
        TRY_ASSIGN(outcome.found,
                   first_finding([&] { return contender.load(); }, [&] { return contender.attach(); }));
        std::vector<std::string> agreed;
        int weights = -1;
        const auto start = std::chrono::steady_clock::now();
        double slowest_s = 0;
        for (const InterpretedCase& item : cases) {
            if (outcome.found || elapsed_s(start) + slowest_s > k_interpreting_s) break;
            if (item.weights != weights) {
                weights = item.weights;
                TRY_ASSIGN(outcome.found, contender.use_weights(weights));
                if (outcome.found) break;
            }
            std::string not_applicable;
            TRY_ASSIGN(outcome.found,
                       contender.run_case(item.name, item.by_policy, nullptr, &not_applicable));
            slowest_s = std::max(slowest_s, contender.last_call_ms() / 1000);
            if (!outcome.found && not_applicable.empty()) agreed.push_back(item.name);
        }
        note_player(contender, evaluation);
        outcome.conclusive = !agreed.empty();
        if (!outcome.found)
            outcome.report.push_back(
                agreed.empty() ? "no case could be run"
                               : fmt::format("results agree with the reference on {} of {} cases: {}",
                                             agreed.size(), cases.size(), join(agreed, ", ")));
        return {};
    }

    Stage m_stage;
    std::vector<OfflineCheck> m_checks;
    std::vector<std::string> m_notes;
};

}  // namespace

std::unique_ptr<Arena> make_offline_arena(ArenaSpec spec, std::vector<OfflineCheck> checks,
                                          std::vector<std::string> notes) {
    return std::make_unique<OfflineArena>(std::move(spec), std::move(checks), std::move(notes));
}

}  // namespace kforge
