#include "kforge/cli/campaign.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "kforge/cli/campaign_work.hpp"
#include "kforge/cli/catalog.hpp"
#include "kforge/cli/commands.hpp"
#include "kforge/cli/estimates.hpp"
#include "kforge/cli/results.hpp"
#include "kforge/cli/table.hpp"
#include "kforge/store/run_id.hpp"

namespace kforge {
namespace {

using nlohmann::json;

// The file's, unless the command line gives others.
BudgetCaps caps_of(Invocation& invocation, const Campaign& campaign) {
    const BudgetCaps& caps = campaign.config.caps;
    RunConfig given;
    given.budget_usd = caps.usd;
    given.budget_tokens = caps.tokens;
    given.budget_calls = caps.calls;
    given.budget_minutes = caps.minutes;
    invocation.override_settings(given);
    const BudgetCaps wanted{given.budget_usd, given.budget_tokens, given.budget_calls, given.budget_minutes};
    campaign.check_caps(wanted);
    return wanted;
}

int jobs_of(Invocation& invocation, const Campaign& campaign) {
    const std::optional<std::string> given = invocation.value("jobs");
    if (!given) return campaign.config.jobs;
    int jobs = 0;
    const auto [end, failure] = std::from_chars(given->data(), given->data() + given->size(), jobs);
    if (failure != std::errc() || end != given->data() + given->size() || jobs < 1 || jobs > k_most_jobs)
        throw Fatal(ExitCode::usage,
                    fmt::format("--jobs: '{}' is no whole number from 1 to {}", *given, k_most_jobs));
    return jobs;
}

json planned_json(const Campaign& campaign, const PlannedRun& run) {
    return {{"run", run.name},
            {"problem", campaign.problem_of(run)},
            {"platform", run.platform},
            {"llm", run.llm},
            {"after", run.after ? json(campaign.runs[*run.after].name) : json()}};
}

void add_to(Estimate& sum, const Estimate& one) {
    const auto add = [](std::optional<double>& total, const std::optional<double>& value) {
        if (total && value)
            *total += *value;
        else
            total.reset();
    };
    sum.calls += one.calls;
    sum.tokens += one.tokens;
    sum.worst_tokens += one.worst_tokens;
    add(sum.usd, one.usd);
    add(sum.worst_usd, one.worst_usd);
}

ExitCode list_runs(Invocation& invocation, const Campaign& campaign) {
    const BudgetCaps caps = caps_of(invocation, campaign);
    Estimate sum{.usd = 0, .worst_usd = 0};
    json runs = json::array();
    std::vector<std::vector<std::string>> rows;
    for (const PlannedRun& run : campaign.runs) {
        const RunConfig config = campaign.settings_of(run);
        const ProblemText problem = campaign.text_of(invocation, run, config);
        const Platform platform = named_platform(invocation, run.platform);
        const Estimate estimate = estimate_for(campaign.registry, config, platform, problem.source);
        add_to(sum, estimate);
        rows.push_back({run.name, std::to_string(estimate.calls), std::to_string(estimate.tokens),
                        usd_text(estimate.usd), run.after ? "after " + campaign.runs[*run.after].name : ""});
        runs.push_back(planned_json(campaign, run));
        runs.back()["estimate"] = to_json(estimate);
    }
    sum = within(sum, caps);
    if (invocation.json()) {
        invocation.terminal().print_json({{"runs", runs}, {"estimate", to_json(sum)}});
        return ExitCode::ok;
    }
    invocation.terminal().print(
        render_table(
            {{"run"}, {"calls", Align::right}, {"tokens", Align::right}, {"usually", Align::right}, {""}},
            rows, invocation.terminal().width()) +
        fmt::format("\n{} runs: {}\n", campaign.runs.size(), estimate_text(sum)));
    return ExitCode::ok;
}

std::string closing_text(const Campaign& campaign, const CampaignWork& work, const std::string& shown) {
    std::string text;
    const auto line = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{:<8}  {}\n", name, value);
    };
    bool unfinished = false;
    for (size_t run = 0; run < campaign.runs.size(); ++run) {
        const RunState state = work.schedule().state(run);
        if (state == RunState::correct || state == RunState::nothing) continue;
        const std::string& message = work.message(run);
        line(campaign.runs[run].name,
             fmt::format("{}{}{}", to_string(state), message.empty() ? "" : ": ", message));
        unfinished = true;
    }
    line("campaign", shown);
    if (unfinished)
        line("next",
             fmt::format(
                 "kforge campaign {}{}", shown,
                 work.schedule().count(RunState::stopped) > 0 ? " with higher caps (--budget-...)" : ""));
    return text;
}

ExitCode work_and_sum_up(Invocation& invocation, const Campaign& campaign) {
    Terminal& terminal = invocation.terminal();
    const std::string shown = shown_path(campaign.directory, invocation.directory()).string();
    CampaignWork work(invocation, campaign, caps_of(invocation, campaign), jobs_of(invocation, campaign));
    work.work();
    terminal.stop_progress();
    const ExitCode code = work.exit_code();
    if (code == ExitCode::interrupted)
        throw Fatal(code, fmt::format("interrupted\nNothing is lost: kforge resume {}", shown));

    std::vector<RunReport> reports;
    json runs = json::array();
    for (size_t run = 0; run < campaign.runs.size(); ++run) {
        const PlannedRun& planned = campaign.runs[run];
        runs.push_back(planned_json(campaign, planned));
        runs.back()["state"] = to_string(work.schedule().state(run));
        runs.back()["message"] = work.message(run);
        if (Result<RunReport> report = read_report(campaign.path_of(planned)); report.ok())
            reports.push_back(std::move(report).value());
    }
    const Summary summary = summarize_runs(std::move(reports));
    if (invocation.json()) {
        json result = to_json(summary);
        result["campaign"] = campaign.directory.string();
        result["plan"] = runs;
        terminal.print_json(result);
    } else {
        terminal.print("\n" + summary_text(summary, terminal.width()) + closing_text(campaign, work, shown));
    }
    return code;
}

}  // namespace

ExitCode resume_campaign(Invocation& invocation, const fs::path& directory) {
    RunConfig given;
    invocation.override_settings(given);
    for (const Setting& setting : run_settings())
        if (setting.group == "Agents" && setting.get(given) != setting.get(RunConfig{}))
            throw Fatal(ExitCode::usage,
                        fmt::format("{}: {} is a campaign, whose runs have their own settings: resume "
                                    "a run of it to change that one's",
                                    option_name(setting), directory.string()));
    return work_and_sum_up(invocation, reopen_campaign(invocation, directory));
}

ExitCode campaign_command(Invocation& invocation) {
    const fs::path file = *invocation.positional("FILE");
    const std::optional<std::string> out = invocation.value("out");
    if (is_folder(file)) {
        if (!is_campaign(file))
            throw Fatal(ExitCode::usage,
                        fmt::format("{} is no campaign: there is no campaign.toml", file.string()));
        if (out) throw Fatal(ExitCode::usage, "--out: a campaign stays in its directory");
        if (!invocation.flag("dry-run")) return resume_campaign(invocation, file);
        return list_runs(invocation, reopen_campaign(invocation, file));
    }
    Campaign campaign = plan_campaign(invocation, file);
    if (invocation.flag("dry-run")) return list_runs(invocation, campaign);
    const fs::path beside = fs::absolute(file).parent_path();
    const fs::path directory = out ? fs::path(*out)
                               : campaign.config.out.empty()
                                   ? fs::path("runs") / new_run_id(campaign.config.name, "campaign")
                                   : beside / campaign.config.out;
    make_campaign(campaign, directory);
    invocation.terminal().on_note(fmt::format(
        "campaign directory: {}", shown_path(campaign.directory, invocation.directory()).string()));
    return work_and_sum_up(invocation, campaign);
}

}  // namespace kforge
