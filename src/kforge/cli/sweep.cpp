#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kforge/cli/candidate_files.hpp"
#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/setup.hpp"
#include "kforge/cli/sweep_text.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

// What is asked for, with every mistake in it found before time is spent.
struct SweepPlan {
    std::vector<long> sizes;
    std::string constant;  // empty: the leading size
    fs::path plot;         // empty: none
};

SweepPlan read_plan(Invocation& invocation) {
    SweepPlan plan;
    const std::optional<std::string> sizes = invocation.value("sizes");
    if (!sizes) throw Fatal(ExitCode::usage, "no sizes are named: give them as in --sizes 1,4,8");
    plan.sizes = require(parse_sizes(*sizes));
    plan.constant = invocation.value("constant").value_or("");
    plan.plot = invocation.value("plot").value_or("");
    if (plan.plot.empty()) return plan;
    if (plan.plot.extension() != ".svg")
        throw Fatal(ExitCode::usage, fmt::format("--plot {}: plots are written as .svg", plan.plot.string()));
    if (const fs::path folder = fs::absolute(plan.plot).parent_path(); !is_folder(folder))
        throw Fatal(ExitCode::usage, fmt::format("--plot: there is no folder {}", folder.string()));
    return plan;
}

ProblemText problem_at(Invocation& invocation, const RunConfig& config, const SweepPlan& plan, long size) {
    RunConfig sized = config;
    if (!plan.constant.empty()) sized.set.push_back(fmt::format("{}={}", plan.constant, size));
    ProblemText problem = read_problem(invocation, sized, config.problem);
    if (plan.constant.empty())
        problem.source += fmt::format(
            "\n\nfrom kforge_arena.sizes import with_leading_size\n"
            "get_inputs = with_leading_size(get_inputs, {})\n",
            size);
    return problem;
}

// One arena per size, none of which has started anything yet.
std::vector<std::unique_ptr<Arena>> open_arenas(Invocation& invocation, const SweepPlan& plan,
                                                const Platform& platform) {
    std::vector<std::unique_ptr<Arena>> arenas;
    for (const long size : plan.sizes) {
        arenas.push_back(open_arena(invocation, invocation.config(), platform,
                                    problem_at(invocation, invocation.config(), plan, size)));
        if (!arenas.back()->has_device())
            throw Fatal(
                ExitCode::environment,
                fmt::format("the device of {} is not on this machine: nothing can be timed", platform.name));
    }
    return arenas;
}

Result<SweepRow> measure(Arena& arena, long size, const Submission& submission) {
    TRY_ASSIGN(const VetReport vet, arena.vet());
    if (vet.state == "broken") return refused_size(size, vet.evidence);
    TRY_ASSIGN(const Evaluation evaluation, arena.evaluate(submission));
    nlohmann::json result = to_json(evaluation);
    result["vet"] = {{"state", vet.state}, {"reason", vet.reason}, {"evidence", vet.evidence}};
    return sweep_row(size, std::move(result));
}

// Fills the sweep; what ended it early, if something did.
Result<void> measure_all(Invocation& invocation, const SweepPlan& plan, const Platform& platform,
                         const std::string& candidate, Sweep& sweep) {
    const RunConfig& config = invocation.config();
    const ProblemText problem = read_problem(invocation, config, config.problem);
    sweep.problem = problem.name;
    const Guard guard = make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    if (const std::vector<GuardFinding> findings = guard.check(candidate); !findings.empty()) {
        const Evaluation rejected{.verdict = Verdict::because(Reason::guardrail, describe(findings))};
        for (const long size : plan.sizes) sweep.rows.push_back(sweep_row(size, to_json(rejected)));
        return {};
    }
    std::vector<std::unique_ptr<Arena>> arenas = open_arenas(invocation, plan, platform);
    const Submission submission = as_submission(candidate, config);
    for (size_t i = 0; i < plan.sizes.size(); ++i) {
        if (interrupted()) return interrupted_error();
        invocation.terminal().on_phase(0, 0,
                                       fmt::format("{} {} ({} of {}): building, checking and timing",
                                                   sweep.axis, plan.sizes[i], i + 1, plan.sizes.size()));
        TRY_ASSIGN(SweepRow row, measure(*arenas[i], plan.sizes[i], submission));
        arenas[i].reset();  // its processes have no part in the next one
        invocation.terminal().on_note(fmt::format("{} {}: {}", sweep.axis, row.size, outcome_text(row)));
        sweep.rows.push_back(std::move(row));
    }
    return {};
}

ExitCode judge(const Sweep& sweep) {
    const bool all_correct = std::all_of(sweep.rows.begin(), sweep.rows.end(), [](const SweepRow& row) {
        return row.is_correct() || !row.is_measured();
    });
    return all_correct ? ExitCode::ok : ExitCode::not_found;
}

void show(Invocation& invocation, const Sweep& sweep, const SweepPlan& plan, const Result<void>& ended) {
    Terminal& terminal = invocation.terminal();
    if (!plan.plot.empty()) require(write_file_durable(plan.plot, sweep_svg(sweep)));
    if (invocation.json()) {
        nlohmann::json result = to_json(sweep);
        if (!ended.ok()) result["ended_by"] = ended.error().message;
        terminal.print_json(result);
        return;
    }
    terminal.print(sweep_table(sweep, terminal.width(), terminal.look()));
    if (const std::string bars = sweep_bars(sweep, terminal.width(), terminal.look()); !bars.empty())
        terminal.print("\n" + bars);
    if (!plan.plot.empty()) terminal.print(fmt::format("\nplot  {}\n", plan.plot.string()));
}

}  // namespace

ExitCode sweep_command(Invocation& invocation) {
    const SweepPlan plan = read_plan(invocation);
    const std::string file = *invocation.positional("CANDIDATE");
    const std::string candidate = read_candidate(file);
    const Platform platform = named_platform(invocation, invocation.config().platform);
    require_usable(invocation, invocation.config(), platform);
    Sweep sweep;
    sweep.candidate = file;
    sweep.platform = platform.name;
    sweep.axis = plan.constant.empty() ? "leading size" : plan.constant;
    const Result<void> ended = measure_all(invocation, plan, platform, candidate, sweep);
    invocation.terminal().stop_progress();

    const bool any = std::any_of(sweep.rows.begin(), sweep.rows.end(),
                                 [](const SweepRow& row) { return row.is_measured(); });
    if (!any && !ended.ok()) give_up(ended.error());
    if (!any)
        throw Fatal(ExitCode::usage, fmt::format("the reference itself works at none of the sizes: {}",
                                                 sweep.rows.front().evidence));
    show(invocation, sweep, plan, ended);
    if (ended.ok()) return judge(sweep);
    invocation.terminal().on_note(fmt::format("{}: {} of {} sizes are above", ended.error().message,
                                              sweep.rows.size(), plan.sizes.size()));
    return exit_code_for(ended.error().kind);
}

}  // namespace kforge
