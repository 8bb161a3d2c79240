#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/profile/profiler.hpp"
#include "kforge/prompt/auxiliary.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

std::string read_candidate(const std::string& path) {
    const Result<std::string> text = read_file(path);
    if (!text.ok()) throw Fatal(ExitCode::usage, text.error().message);
    if (sanitize(*text).find("\xEF\xBF\xBD") != std::string::npos)
        throw Fatal(ExitCode::usage, fmt::format("{} is not a text file in UTF-8", path));
    return *text;
}

std::vector<fs::path> auxiliary_paths(const RunConfig& config) {
    return require(Auxiliary::parse(config.aux)).paths_for(1);
}

struct Bench {
    Platform platform;
    Guard guard;
    std::unique_ptr<Arena> arena;
    VetReport vet;
};

Bench set_up(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    const Platform platform = named_platform(invocation, config.platform);
    require_usable(platform);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    const Guard guard = make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    std::unique_ptr<Arena> arena = open_arena(invocation, config, platform, problem);
    invocation.terminal().on_phase(0, 0, "starting the arena");
    const VetReport vet = require(arena->vet());
    if (vet.state == "broken") throw Fatal(ExitCode::usage, vet.evidence);
    return Bench{platform, guard, std::move(arena), vet};
}

nlohmann::json evaluate_file(Invocation& invocation, Bench& bench, const std::string& file) {
    const std::string candidate = read_candidate(file);
    Evaluation evaluation;
    const std::vector<GuardFinding> findings = bench.guard.check(candidate);
    if (findings.empty()) {
        invocation.terminal().on_phase(0, 0, fmt::format("building, checking and timing {}", file));
        evaluation = require(bench.arena->evaluate(candidate, auxiliary_paths(invocation.config())));
    } else {
        evaluation.verdict = Verdict::because(Reason::guardrail, describe(findings));
    }
    nlohmann::json result = to_json(evaluation);
    result["guard"] = to_json(findings);
    result["vet"] = {
        {"state", bench.vet.state}, {"reason", bench.vet.reason}, {"evidence", bench.vet.evidence}};
    result["candidate"] = file;
    return result;
}

}  // namespace

ExitCode eval_command(Invocation& invocation) {
    const std::vector<std::string> files = invocation.positionals("CANDIDATE");
    for (const std::string& file : files)
        read_candidate(file);  // a wrong name is told before seconds are spent
    Bench bench = set_up(invocation);
    Terminal& terminal = invocation.terminal();
    bool all_correct = true;
    nlohmann::json results = nlohmann::json::array();
    for (const std::string& file : files) {
        nlohmann::json result = evaluate_file(invocation, bench, file);
        all_correct = all_correct && result["state"] == "correct";
        if (!invocation.json()) {
            terminal.stop_progress();
            terminal.print(fmt::format("{}: {}", file, evaluation_text(result)));
            if (bench.vet.state != "ok")
                terminal.print(fmt::format("the problem is {}: {}\n", bench.vet.state, bench.vet.evidence));
        }
        results.push_back(std::move(result));
    }
    terminal.stop_progress();
    if (invocation.json())
        terminal.print_json(files.size() == 1 ? results[0] : nlohmann::json{{"results", results}});
    return all_correct ? ExitCode::ok : ExitCode::not_found;
}

ExitCode profile_command(Invocation& invocation) {
    const std::string candidate = read_candidate(*invocation.positional("CANDIDATE"));
    Bench bench = set_up(invocation);
    invocation.terminal().on_phase(0, 0, "profiling");
    ProfileTarget target;
    target.torch_table = [&] {
        return bench.arena->profile(candidate, auxiliary_paths(invocation.config()));
    };
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
