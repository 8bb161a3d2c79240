// What a run is going to ask for, before it starts: the usual and the worst, within its caps. Arithmetic
// only.
#pragma once

#include <optional>

#include "kforge/forge/budget.hpp"
#include "kforge/forge/run_config.hpp"

namespace kforge {

struct Estimate {
    long calls = 0;             // at most: advice is asked for only on correct candidates
    long tokens = 0;            // the usual
    std::optional<double> usd;  // nothing where a price is not known
    // Long prompts, every answer as long as the LLM may make it; within the caps of the run.
    long worst_tokens = 0;
    std::optional<double> worst_usd;
};

// `fixed_bytes` is what every prompt of the run holds: guide, example, problem.
Estimate estimate_run(const RunConfig& config, const Llm& generation, const Llm& analysis,
                      size_t fixed_bytes);

// No more than the caps allow.
Estimate within(Estimate estimate, const BudgetCaps& caps);

}  // namespace kforge
