#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <set>

#include "kforge/cli/campaign.hpp"
#include "kforge/cli/catalog.hpp"
#include "kforge/cli/problem_files.hpp"
#include "kforge/cli/session.hpp"
#include "kforge/forge/asker.hpp"
#include "kforge/store/run_lock.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

constexpr const char* k_file_name = "campaign.toml";
constexpr const char* k_problems = "problems";

std::vector<fs::path> files_of_pattern(const fs::path& pattern) {
    std::vector<fs::path> files;
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; ++i)
            if (const fs::path path = found.gl_pathv[i]; path.extension() == ".py") files.push_back(path);
    ::globfree(&found);
    return files;
}

// The problems that an entry of the file names: a path seen from the file, or what kforge problems lists.
std::vector<fs::path> problems_named(const std::vector<fs::path>& roots, const std::string& entry,
                                     const fs::path& folder, const std::string& origin) {
    const fs::path path = (folder / entry).lexically_normal();
    if (entry.find_first_of("*?[") == std::string::npos) {
        std::error_code ignored;
        const std::string name = fs::exists(path, ignored) ? path.string() : entry;
        return require(resolve_problems(roots, name));
    }
    std::vector<fs::path> files = files_of_pattern(path);
    for (const ProblemFile& problem : list_problems(roots))
        if (fits_pattern(entry, problem.name()) || fits_pattern(entry, problem.stem))
            files.push_back(problem.path);
    if (files.empty())
        throw Fatal(ExitCode::usage,
                    fmt::format("{}: no problem fits '{}' (see kforge problems)", origin, entry));
    return files;
}

std::string name_of(const std::vector<fs::path>& roots, const fs::path& file, const fs::path& folder) {
    for (const ProblemFile& problem : list_problems(roots))
        if (problem.path == file) return problem.name();
    return shown_path(file, folder).string();
}

fs::path copy_name(size_t index, const std::string& problem) {
    return fs::path(k_problems) / fmt::format("{:03}-{}.py", index + 1, fs::path(problem).stem().string());
}

// Whatever cannot work is told before anything is made.
void check_runs(Invocation& invocation, const Campaign& campaign) {
    campaign.check_caps(campaign.config.caps);
    std::set<std::string> platforms;
    for (const PlannedRun& run : campaign.runs) {
        const RunConfig config = campaign.settings_of(run);
        if (const auto fine = check_conflicts(config); !fine.ok()) give_up(fine.error().within(run.name));
        if (!platforms.insert(run.platform).second) continue;
        const Platform platform = named_platform(invocation, run.platform);
        require_usable(invocation, config, platform);
        check_reference_kernels(invocation, config);
    }
}

std::string frozen_text(const Campaign& campaign) {
    CampaignConfig config = campaign.config;
    config.problems = campaign.problems;
    config.run = frozen_settings(config.run);
    std::string text = to_toml(config);
    for (const GuardRule& rule : campaign.rules) text += to_toml(rule);
    std::set<std::string> written;
    for (const PlannedRun& run : campaign.runs) {
        const RunConfig settings = campaign.settings_of(run);
        for (const Llm& llm :
             {generation_llm(campaign.registry, settings), analysis_llm(campaign.registry, settings)})
            if (written.insert(llm.name).second) text += "\n" + to_toml(llm);
    }
    return text;
}

// Nothing is there, or what a campaign that was killed while it was made has left.
void require_vacant(const fs::path& directory) {
    std::error_code failure;
    if (!fs::exists(directory, failure)) return;
    if (is_campaign(directory))
        throw Fatal(ExitCode::usage,
                    fmt::format("{0} already holds a campaign: go on with 'kforge campaign {0}', or "
                                "choose another folder with --out",
                                directory.string()));
    bool vacant = fs::is_directory(directory, failure);
    for (const auto& entry : fs::directory_iterator(directory, failure))
        vacant = vacant && (entry.path().filename() == k_problems || entry.path().filename() == k_lock_name);
    if (!vacant)
        throw Fatal(ExitCode::usage,
                    fmt::format("{} already exists and is not empty: choose another folder with --out",
                                directory.string()));
}

}  // namespace

RunConfig Campaign::settings_of(const PlannedRun& run) const {
    return settings_for(config, problem_of(run), run.platform, run.llm);
}

void Campaign::check_caps(const BudgetCaps& caps) const {
    for (const PlannedRun& run : runs) {
        const RunConfig settings = settings_of(run);
        for (const BudgetCaps& each : {caps, budget_caps(settings)}) {
            require(check_prices(each, generation_llm(registry, settings)));
            if (has_refinements(settings)) require(check_prices(each, analysis_llm(registry, settings)));
        }
    }
}

ProblemText Campaign::text_of(Invocation& invocation, const PlannedRun& run,
                              const RunConfig& settings) const {
    ProblemText text = read_problem(invocation, settings, problem_files[run.problem].string());
    text.name = problem_of(run);
    return text;
}

Campaign plan_campaign(Invocation& invocation, const fs::path& file) {
    const Result<std::string> text = read_file(file);
    if (!text.ok()) throw Fatal(ExitCode::usage, text.error().message);
    const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
    Campaign campaign;
    campaign.config =
        require(read_campaign(*text, file.string(), folder, invocation.config_without_options()));
    RunConfig given;
    invocation.override_settings(given);
    if (!given.python.empty()) campaign.config.run.python = given.python;
    campaign.registry = load_llms(invocation);
    require(campaign.registry.extend(*text, fs::absolute(file)));
    campaign.rules = configured_guard_rules(invocation);
    for (GuardRule& rule : guard_rules_of(*text, file.string())) campaign.rules.push_back(std::move(rule));

    const std::vector<fs::path>& roots = invocation.data().problem_roots;
    for (const std::string& entry : campaign.config.problems) {
        for (const fs::path& path : problems_named(roots, entry, folder, file.string())) {
            std::vector<fs::path>& files = campaign.problem_files;
            if (std::find(files.begin(), files.end(), path) != files.end()) continue;
            files.push_back(path);
            campaign.problems.push_back(name_of(roots, path, folder));
        }
    }
    campaign.runs = plan_runs(campaign.config, campaign.problems);
    check_runs(invocation, campaign);
    return campaign;
}

void make_campaign(Campaign& campaign, const fs::path& directory) {
    const fs::path whole = fs::absolute(directory).lexically_normal();
    require_vacant(whole);
    require(make_directories(whole));
    campaign.lock = require(lock_run(whole));
    require_vacant(whole);  // another may have made it before the lock was ours
    for (size_t i = 0; i < campaign.problems.size(); ++i) {
        const fs::path copy = whole / copy_name(i, campaign.problems[i]);
        const Result<std::string> source = read_file(campaign.problem_files[i]);
        if (!source.ok()) throw Fatal(ExitCode::usage, source.error().message);
        require(write_file_durable(copy, *source));
        campaign.problem_files[i] = copy;
    }
    // Last: a folder with this file is a campaign, and whole.
    require(write_file_durable(whole / k_file_name, frozen_text(campaign)));
    campaign.directory = whole;
}

bool is_campaign(const fs::path& directory) {
    std::error_code ignored;
    return fs::exists(directory / k_file_name, ignored);
}

Campaign reopen_campaign(Invocation& invocation, const fs::path& directory) {
    Campaign campaign;
    campaign.directory = fs::absolute(directory / "").lexically_normal().parent_path();
    const fs::path file = campaign.directory / k_file_name;
    const std::string text = require(read_file(file));
    campaign.lock = require(lock_run(campaign.directory));
    campaign.config = require(read_campaign(text, file.string(), {}, RunConfig{}));
    campaign.registry = load_llms(invocation);
    require(campaign.registry.extend(text, file));
    campaign.rules = guard_rules_of(text, file.string());
    campaign.problems = campaign.config.problems;
    for (size_t i = 0; i < campaign.problems.size(); ++i)
        campaign.problem_files.push_back(campaign.directory / copy_name(i, campaign.problems[i]));
    campaign.runs = plan_runs(campaign.config, campaign.problems);
    return campaign;
}

}  // namespace kforge
