// RunReport: a run as its files tell it, for tables, JSON and pages. Reads only stored artifacts: it works on
// a run that is going on, was killed, or came from another machine.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/report/llm_cost.hpp"
#include "kforge/report/lost_calls.hpp"
#include "kforge/util/fs.hpp"
#include "kforge/util/result.hpp"

namespace kforge {

struct ReportRow {
    int iteration = 0;
    std::string pass;  // first, functional, optimization
    bool best = false;
    nlohmann::json
        evaluation;  // verdict.json with "timings" and "guard" beside it: the form of `eval --json`

    std::string text(const char* key) const;                         // a text member of the evaluation, or ""
    std::optional<double> number(const std::string& pointer) const;  // "/speedup/value"
};

struct RunReport {
    fs::path path;
    std::string status;   // running or killed, suspended, stopped, finished
    std::string message;  // why it is suspended or stopped
    std::vector<ReportRow> rows;
    std::optional<int> best;
    nlohmann::json vet;
    LlmCost cost;
    std::map<std::string, LlmCost> agents;  // the same, by agent
    LostCalls lost;                         // sent, and not in `cost`: what they took is not known

    const ReportRow* best_row() const;
};

Result<RunReport> read_report(const fs::path& run_directory);

// The evaluation of the best candidate (or, when there is none, of the last), with the run's directory,
// iterations and cost: the object of `kforge run --json`.
nlohmann::json to_json(const RunReport& report);

}  // namespace kforge
