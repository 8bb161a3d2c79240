#include <fmt/format.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "kforge/cli/candidate_files.hpp"
#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/profile/profiler.hpp"

namespace kforge {
namespace {

struct Bench {
    Platform platform;
    Guard guard;
    std::unique_ptr<Arena> arena;
    VetReport vet;
};

Bench set_up(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    const Platform platform = named_platform(invocation, config.platform);
    std::shared_ptr<Worker> nursery = start_ahead(invocation, config, platform);
    if (const std::string absent = require_usable(invocation, config, platform); !absent.empty())
        invocation.terminal().on_note(absent);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    const Guard guard = make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    std::unique_ptr<Arena> arena = open_arena(invocation, config, platform, problem, std::move(nursery));
    return Bench{platform, guard, std::move(arena), {}};
}

void vet(Invocation& invocation, Bench& bench) {
    invocation.terminal().on_phase(0, 0, "starting the arena");
    bench.vet = require(bench.arena->vet());
    if (bench.vet.state == "broken") throw Fatal(ExitCode::usage, bench.vet.evidence);
}

nlohmann::json describe(const Bench& bench, const std::string& file, const Evaluation& evaluation,
                        const std::vector<GuardFinding>& findings) {
    nlohmann::json result = to_json(evaluation);
    result["guard"] = to_json(findings);
    result["vet"] = {
        {"state", bench.vet.state}, {"reason", bench.vet.reason}, {"evidence", bench.vet.evidence}};
    result["candidate"] = file;
    return result;
}

// The results of many files, handed on in the order of the files as soon as they are there.
class Results {
  public:
    Results(size_t count, std::function<void(const nlohmann::json&)> show)
        : m_results(count), m_show(std::move(show)) {}

    void set(size_t index, nlohmann::json result) {
        m_results[index] = std::move(result);
        while (m_shown < m_results.size() && !m_results[m_shown].is_null()) m_show(m_results[m_shown++]);
    }
    const nlohmann::json& operator[](size_t index) const { return m_results[index]; }
    const std::vector<nlohmann::json>& all() const { return m_results; }

  private:
    std::vector<nlohmann::json> m_results;
    size_t m_shown = 0;
    std::function<void(const nlohmann::json&)> m_show;
};

// What is done with each of many files.
struct Plan {
    std::vector<Submission> submissions;
    std::vector<size_t> places;                            // of each submission among the files
    std::vector<std::pair<size_t, size_t>> twins;          // of the later one, of the first
    std::map<size_t, std::vector<GuardFinding>> rejected;  // by their places
};

// A candidate that breaks a rule never runs, and one that was handed in twice runs once. The same to the
// letter: a candidate can read its own comments and count its own lines.
Plan plan_for(Invocation& invocation, const Guard& guard, const std::vector<std::string>& files) {
    Plan plan;
    std::map<std::string, size_t> firsts;
    for (size_t i = 0; i < files.size(); ++i) {
        const std::string candidate = read_candidate(files[i]);
        const auto [first, is_new] = firsts.emplace(candidate, i);
        if (!is_new) {
            plan.twins.emplace_back(i, first->second);
        } else if (std::vector<GuardFinding> findings = guard.check(candidate); !findings.empty()) {
            plan.rejected[i] = std::move(findings);
        } else {
            plan.submissions.push_back(as_submission(candidate, invocation.config()));
            plan.places.push_back(i);
        }
    }
    return plan;
}

void evaluate_files(Invocation& invocation, Bench& bench, const std::vector<std::string>& files,
                    const Plan& plan, Results& results) {
    const auto tell_phase = [&](size_t next) {
        if (next < plan.places.size())
            invocation.terminal().on_phase(
                0, 0, fmt::format("building, checking and timing {}", files[plan.places[next]]));
    };
    const auto set = [&](size_t place, const nlohmann::json& result) {
        results.set(place, result);
        for (const auto& [later, original] : plan.twins) {
            if (original != place) continue;
            nlohmann::json twin = result;
            twin["candidate"] = files[later];
            twin["evidence"] = fmt::format("The same code as {}, whose result stands: {}", files[place],
                                           result["evidence"].get<std::string>());
            results.set(later, std::move(twin));
        }
    };
    for (const auto& [place, findings] : plan.rejected) {
        const Evaluation rejected{.verdict = Verdict::because(Reason::guardrail, describe(findings))};
        set(place, describe(bench, files[place], rejected, findings));
    }
    tell_phase(0);
    require(bench.arena->evaluate_all(plan.submissions, [&](size_t index, Evaluation made) -> Result<void> {
        const size_t place = plan.places[index];
        set(place, describe(bench, files[place], made, {}));
        tell_phase(index + 1);
        return {};
    }));
}

// Verdicts that were reached are not lost with what went wrong later; the others are null.
ExitCode tell_interrupted(Terminal& terminal, const Results& results, const Fatal& error) {
    terminal.stop_progress();
    fmt::print(stderr, "kforge: error: {}\n", error.what());
    const nlohmann::json told = {{"code", static_cast<int>(error.code())}, {"message", error.what()}};
    terminal.print_json({{"results", results.all()}, {"error", told}});
    return error.code();
}

}  // namespace

ExitCode eval_command(Invocation& invocation) {
    const std::vector<std::string> files = invocation.positionals("CANDIDATE");
    for (const std::string& file : files)
        read_candidate(file);  // a wrong name is told before seconds are spent
    Bench bench = set_up(invocation);
    const Plan plan = plan_for(invocation, bench.guard, files);
    bench.arena->expect(plan.submissions);
    vet(invocation, bench);
    Terminal& terminal = invocation.terminal();
    bool all_correct = true;
    Results results(files.size(), [&](const nlohmann::json& result) {
        all_correct = all_correct && result["state"] == "correct";
        if (invocation.json()) return;
        terminal.stop_progress();
        terminal.print(
            fmt::format("{}: {}", result["candidate"].get<std::string>(), evaluation_text(result)));
        if (bench.vet.state != "ok")
            terminal.print(fmt::format("the problem is {}: {}\n", bench.vet.state, bench.vet.evidence));
    });
    const bool is_batch = invocation.json() && files.size() > 1;
    try {
        evaluate_files(invocation, bench, files, plan, results);
    } catch (const Fatal& error) {
        if (!is_batch) throw;
        return tell_interrupted(terminal, results, error);
    }
    terminal.stop_progress();
    if (invocation.json())
        terminal.print_json(is_batch ? nlohmann::json{{"results", results.all()}} : results[0]);
    return all_correct ? ExitCode::ok : ExitCode::not_found;
}

ExitCode profile_command(Invocation& invocation) {
    const std::string candidate = read_candidate(*invocation.positional("CANDIDATE"));
    Bench bench = set_up(invocation);
    vet(invocation, bench);
    if (!bench.arena->has_device())
        throw Fatal(ExitCode::environment,
                    fmt::format("the device of {} is not on this machine: nothing can be profiled",
                                bench.platform.name));
    invocation.terminal().on_phase(0, 0, "profiling");
    ProfileTarget target;
    target.torch_table = [&] { return bench.arena->profile(as_submission(candidate, invocation.config())); };
    std::vector<std::string> notes;
    const Result<Profile> profile = take_profile(bench.platform.profilers, target, notes);
    invocation.terminal().stop_progress();
    for (const std::string& note : notes) invocation.terminal().on_note(note);
    if (!profile.ok()) {
        if (profile.error().kind == ErrorKind::cancelled) give_up(profile.error());
        throw Fatal(ExitCode::not_found, profile.error().message);
    }
    if (invocation.json())
        invocation.terminal().print_json({{"profiler", profile->profiler}, {"text", profile->text}});
    else
        invocation.terminal().print(profile->text + "\n");
    return ExitCode::ok;
}

}  // namespace kforge
