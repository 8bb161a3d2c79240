#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/session.hpp"
#include "kforge/forge/strategy.hpp"
#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

// Prices a run by its prompts: the fixed part is measured, history and answers are taken at their usual size.
constexpr long k_history_tokens = 6'000;
constexpr long k_answer_tokens = 4'000;
constexpr long k_advice_tokens = 500;

ExitCode dry_run(Invocation& invocation) {
    const RunConfig& config = invocation.config();
    require(check_conflicts(config));
    const Platform platform = named_platform(invocation, config.platform);
    const ProblemText problem = read_problem(invocation, config, config.problem);
    make_guard(invocation, config, platform, problem, configured_guard_rules(invocation));
    const LlmRegistry registry = load_llms(invocation);
    const Llm generation = generation_llm(registry, config);
    const Llm analysis = analysis_llm(registry, config);

    const int iterations = Strategy(config).total();
    const int refinements = iterations - Strategy(config).independent();
    const long fixed = estimate_tokens(platform.guide + platform.example_reference + platform.example_kernel +
                                       problem.source) +
                       1'500;
    Usage writing;
    writing.input_tokens = iterations * fixed + refinements * k_history_tokens;
    writing.output_tokens = iterations * k_answer_tokens;
    Usage reading;
    reading.input_tokens = refinements * (fixed + k_history_tokens);
    reading.output_tokens = refinements * k_advice_tokens;
    const double usd = cost_usd(generation, writing) + cost_usd(analysis, reading);
    const long tokens =
        writing.input_tokens + writing.output_tokens + reading.input_tokens + reading.output_tokens;

    const nlohmann::json estimate = {
        {"llm_calls", iterations + refinements}, {"tokens", tokens}, {"usd", usd}};
    if (invocation.json()) {
        nlohmann::json settings = nlohmann::json::object();
        for (const Setting& setting : run_settings()) {
            const std::vector<std::string> values = setting.get(config);
            settings[setting.key] = setting.kind == SettingKind::list
                                        ? nlohmann::json(values)
                                        : nlohmann::json(values.empty() ? "" : values[0]);
        }
        invocation.terminal().print_json(
            {{"settings", settings}, {"problem", problem.name}, {"estimate", estimate}});
        return ExitCode::ok;
    }
    invocation.terminal().print(
        fmt::format("{}\n# estimate: at most {} LLM calls, about {} tokens, ${:.2f}\n", to_toml(config),
                    iterations + refinements, tokens, usd));
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
