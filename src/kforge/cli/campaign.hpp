// Campaign: many runs as one directory keeps them: the frozen file, copies of the problems, and one run
// directory for each run, whose states are all that a campaign knows of its progress.
#pragma once

#include <string>
#include <vector>

#include "kforge/cli/setup.hpp"
#include "kforge/forge/campaign_schedule.hpp"
#include "kforge/llm/registry.hpp"
#include "kforge/util/fd.hpp"

namespace kforge {

struct Campaign {
    fs::path directory;  // empty: not made yet
    CampaignConfig config;
    std::vector<std::string> problems;    // as people call them
    std::vector<fs::path> problem_files;  // the campaign's own copies, once it is made
    std::vector<PlannedRun> runs;
    std::vector<GuardRule> rules;
    LlmRegistry registry;
    Fd lock;  // one process at a time works on it

    const std::string& problem_of(const PlannedRun& run) const { return problems[run.problem]; }
    RunConfig settings_of(const PlannedRun& run) const;
    // A cap in USD needs the prices of all LLMs.
    void check_caps(const BudgetCaps& caps) const;
    ProblemText text_of(Invocation& invocation, const PlannedRun& run, const RunConfig& config) const;
    fs::path path_of(const PlannedRun& run) const { return directory / run.name; }
};

// All throw Fatal. Reads the file and looks that all it names is there; writes nothing.
Campaign plan_campaign(Invocation& invocation, const fs::path& file);
// Makes its directory.
void make_campaign(Campaign& campaign, const fs::path& directory);
Campaign reopen_campaign(Invocation& invocation, const fs::path& directory);

bool is_campaign(const fs::path& directory);
ExitCode resume_campaign(Invocation& invocation, const fs::path& directory);

}  // namespace kforge
