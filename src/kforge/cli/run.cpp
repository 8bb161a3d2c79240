#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/campaign.hpp"
#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/estimates.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/session.hpp"

namespace kforge {
namespace {

ExitCode dry_run(Invocation& invocation) {
    check_reference_kernels(invocation, invocation.config());
    const RunConfig& config = invocation.config();
    require(check_conflicts(config));
    const Platform platform = named_platform(invocation, config.platform);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    const Estimate estimate = estimate_for(load_llms(invocation), config, platform, problem.source);
    if (invocation.json()) {
        nlohmann::json settings = nlohmann::json::object();
        for (const Setting& setting : run_settings()) {
            const std::vector<std::string> values = setting.get(config);
            settings[setting.key] = setting.kind == SettingKind::list
                                        ? nlohmann::json(values)
                                        : nlohmann::json(values.empty() ? "" : values[0]);
        }
        invocation.terminal().print_json(
            {{"settings", settings}, {"problem", problem.name}, {"estimate", to_json(estimate)}});
        return ExitCode::ok;
    }
    invocation.terminal().print(
        fmt::format("{}\n# estimate: {}\n", to_toml(config), estimate_text(estimate)));
    return ExitCode::ok;
}

}  // namespace

// Shared by run and resume: works until the run is over or must wait, then shows what its files say.
ExitCode work_and_report(Invocation& invocation, RunSession& session) {
    Terminal& terminal = invocation.terminal();
    const RunSummary summary = session.go(alone_at_the_terminal(invocation));
    terminal.stop_progress();
    RunReport report = require(read_report(session.directory()));
    if (invocation.json()) {
        terminal.print_json(to_json(report));
    } else {
        report.path = shown_path(report.path, invocation.directory());
        terminal.print("\n" + report_text(report, terminal.width(), terminal.look()));
    }
    if (!summary.suspended.empty()) return ExitCode::suspended;
    return summary.best ? ExitCode::ok : ExitCode::not_found;
}

ExitCode run_command(Invocation& invocation) {
    if (invocation.flag("dry-run")) return dry_run(invocation);
    const std::unique_ptr<RunSession> session = RunSession::start(invocation, configured_run(invocation));
    invocation.terminal().on_note(
        fmt::format("run directory: {}", shown_path(session->directory(), invocation.directory()).string()));
    return work_and_report(invocation, *session);
}

ExitCode resume_command(Invocation& invocation) {
    const fs::path directory = *invocation.positional("DIR");
    if (is_campaign(directory)) return resume_campaign(invocation, directory);
    const std::unique_ptr<RunSession> session = RunSession::reopen(invocation, directory);
    return work_and_report(invocation, *session);
}

}  // namespace kforge
