// CampaignConfig: many runs as one file says them: problems x platforms x LLMs, what they may spend together,
// the settings they share and where these differ. Knows keys and texts; what problems, platforms and LLMs the
// names stand for is found elsewhere. Pure.
#pragma once

#include <string>
#include <vector>

#include "kforge/forge/budget.hpp"
#include "kforge/forge/run_config.hpp"

namespace kforge {

inline constexpr int k_most_jobs = 256;

// Settings for some of the runs. Patterns are those of a shell; an empty one fits everything.
struct CampaignOverride {
    std::string problem;
    std::string platform;
    std::string llm;
    RunConfig values;
    std::vector<std::string> keys;  // those of `values` that count
};

struct CampaignConfig {
    std::string name = "campaign";
    std::string out;                     // the campaign's directory; empty: runs/<id>
    std::vector<std::string> problems;   // names, suites, folders, files, patterns
    std::vector<std::string> platforms;  // each on its own
    std::vector<std::string> chain;      // one after the other: each starts from the kernel of an earlier one
    std::vector<std::string> llms;
    int jobs = 1;  // runs that are worked on at once
    BudgetCaps caps;
    RunConfig run;  // what all runs share
    std::vector<CampaignOverride> overrides;
};

// Reads a campaign's file. `defaults` are the settings that [run] does not give; relative paths are taken
// from `folder` unless that is empty. An unknown key is a config error that names the line and the nearest
// right one; [llms] and [[guard]] are left to those who know them.
Result<CampaignConfig> read_campaign(const std::string& toml_text, const std::string& origin,
                                     const fs::path& folder, const RunConfig& defaults);

// The same as a file that read_campaign() reads back, with every setting in it.
std::string to_toml(const CampaignConfig& campaign);

// The keys that may stand in a campaign's file beside [[guard]].
std::vector<std::string> campaign_tables();

// The settings of one run: [run], then every override that fits, in order.
RunConfig settings_for(const CampaignConfig& campaign, const std::string& problem,
                       const std::string& platform, const std::string& llm);

// Whether a name fits a shell pattern.
bool fits_pattern(const std::string& pattern, const std::string& name);

}  // namespace kforge
