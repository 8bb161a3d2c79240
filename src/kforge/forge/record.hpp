// IterationRecord: what a run knows of one iteration, and its files in the run directory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kforge/arena/evaluation.hpp"
#include "kforge/forge/strategy.hpp"
#include "kforge/guard/guard.hpp"
#include "kforge/store/run_directory.hpp"

namespace kforge {

struct HookResult {
    std::string name;  // "hook-1-score.py"
    std::map<std::string, double> numbers;
    std::optional<double> score;
    std::string failure;  // empty when it went well
};

struct IterationRecord {
    int iteration = 0;
    Pass pass;
    std::string candidate;  // empty: the answer held none
    Evaluation evaluation;
    std::vector<GuardFinding> guard;
    std::vector<HookResult> hooks;
    std::string recommendation;  // for the pass after this one
    std::string followed;        // the recommendation that this iteration was given

    Attempt attempt(bool rank_by_hook) const;
};

// iterations/NN/verdict.json, guard.json, timings.json; evidence first, samples apart.
Result<void> store_evaluation(RunDirectory& run, const IterationRecord& record);
Result<Evaluation> load_evaluation(const RunDirectory& run, int iteration);

nlohmann::json to_json(const HookResult& hook);
Result<HookResult> hook_result_from_json(const nlohmann::json& json);

}  // namespace kforge
