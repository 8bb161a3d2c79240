// Summary: several runs side by side and their mean. A degenerate or random problem says nothing about a
// kernel: it is kept out of the mean, which is shown both ways.
#pragma once

#include "kforge/report/run_report.hpp"

namespace kforge {

struct Mean {
    size_t runs = 0;                // that have a speedup
    std::optional<double> speedup;  // geometric mean over the faster of eager and compile
    std::optional<double>
        same_permission;  // the same over the fastest baseline with the candidate's permissions
};

struct Summary {
    std::vector<RunReport> reports;
    Mean sound;         // over problems that vetting found sound
    Mean all;           // over all of them
    LlmCost cost;       // of all of them
    size_t faster = 0;  // runs on sound problems whose best is faster beyond the noise
};

Summary summarize_runs(std::vector<RunReport> reports);
bool is_sound(const RunReport& report);

// The run directories that `path` names: itself, or those directly below it, by name.
std::vector<fs::path> runs_at(const fs::path& path);

// {"runs": [...], "geometric_mean": {"sound": {...}, "all": {...}}, "faster": N, "cost": {...}}
nlohmann::json to_json(const Summary& summary);

}  // namespace kforge
