#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/session.hpp"
#include "kforge/forge/asker.hpp"
#include "kforge/forge/estimate.hpp"

namespace kforge {
namespace {

nlohmann::json usd_json(const std::optional<double>& usd) {
    return usd ? nlohmann::json(*usd) : nlohmann::json();
}

std::string usd_text(const std::optional<double>& usd) {
    return usd ? fmt::format("${:.2f}", *usd) : "price unknown";
}

ExitCode dry_run(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    require(check_conflicts(config));
    const Platform platform = named_platform(invocation, config.platform);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    const LlmRegistry registry = load_llms(invocation);
    const Llm generation = generation_llm(registry, config);
    const Llm analysis = analysis_llm(registry, config);

    require(check_prices(budget_caps(config), generation));
    if (has_refinements(config)) require(check_prices(budget_caps(config), analysis));
    const Estimate estimate = estimate_run(config, generation, analysis,
                                           platform.guide.size() + platform.example_reference.size() +
                                               platform.example_kernel.size() + problem.source.size());
    if (invocation.json()) {
        nlohmann::json settings = nlohmann::json::object();
        for (const Setting& setting : run_settings()) {
            const std::vector<std::string> values = setting.get(config);
            settings[setting.key] = setting.kind == SettingKind::list
                                        ? nlohmann::json(values)
                                        : nlohmann::json(values.empty() ? "" : values[0]);
        }
        invocation.terminal().print_json({{"settings", settings},
                                          {"problem", problem.name},
                                          {"estimate",
                                           {{"llm_calls", estimate.calls},
                                            {"tokens", estimate.tokens},
                                            {"usd", usd_json(estimate.usd)},
                                            {"worst_tokens", estimate.worst_tokens},
                                            {"worst_usd", usd_json(estimate.worst_usd)}}}});
        return ExitCode::ok;
    }
    invocation.terminal().print(fmt::format(
        "{}\n# estimate: at most {} LLM calls; usually about {} tokens, {}; at worst {} tokens, {}\n",
        to_toml(config), estimate.calls, estimate.tokens, usd_text(estimate.usd), estimate.worst_tokens,
        usd_text(estimate.worst_usd)));
    return ExitCode::ok;
}

}  // namespace

// Shared by run and resume: works until the run is over or must wait, then shows what its files say.
ExitCode work_and_report(Invocation& invocation, RunSession& session) {
    Terminal& terminal = invocation.terminal();
    const RunSummary summary = session.go();
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
    const std::unique_ptr<RunSession> session = RunSession::start(invocation);
    invocation.terminal().on_note(
        fmt::format("run directory: {}", shown_path(session->directory(), invocation.directory()).string()));
    return work_and_report(invocation, *session);
}

ExitCode resume_command(Invocation& invocation) {
    const std::unique_ptr<RunSession> session = RunSession::reopen(invocation, *invocation.positional("DIR"));
    return work_and_report(invocation, *session);
}

}  // namespace kforge
