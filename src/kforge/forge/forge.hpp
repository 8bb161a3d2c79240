// The forge: drives one run from its problem to its best kernel. Everything it learns goes to the run
// directory first, so that a run that was killed goes on where it was. See docs/architecture.md for the
// picture.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kforge/agents/agents.hpp"
#include "kforge/arena/arena.hpp"
#include "kforge/forge/budget.hpp"
#include "kforge/forge/observer.hpp"
#include "kforge/forge/profiling.hpp"
#include "kforge/forge/record.hpp"
#include "kforge/forge/run_config.hpp"
#include "kforge/guard/guard.hpp"
#include "kforge/platform/platform.hpp"
#include "kforge/store/run_directory.hpp"

namespace kforge {

// What a run is made of. All references outlive the run.
struct ForgeParts {
    const RunConfig& config;
    RunDirectory& run;
    Arena& arena;
    const Platform& platform;
    Detection detection;  // of the platform, for the prompts
    const Guard& guard;
    const PromptEdits& edits;
    const Auxiliary& auxiliary;
    std::vector<ReferenceKernelContext> reference_kernels;
    std::string problem_name;
    std::string problem;  // source text
    const GenerationAgent& generation;
    const AnalysisAgent& analysis;
    RunObserver& observer;
    fs::path rescue = {};           // where an answer goes that the run's disk has no room for
    TakeProfile take_profile = {};  // instead of the platform's profilers
    Budget::Whole campaign = {};    // what all runs of a campaign may spend together
};

struct RunSummary {
    std::vector<IterationRecord> records;
    std::optional<int> best;  // iteration
    VetReport vet;
    Usage usage;
    std::string suspended;       // why, and what to do; empty: the run is over
    bool awaits_device = false;  // that is why: a candidate was checked, and this machine can do no more
    std::string stopped;         // why it ended before its last iteration; empty: it did not
    bool stopped_by_campaign = false;  // the campaign's cap, not its own
};

// Runs or goes on. A bad candidate, a failing hook or an unhelpful LLM is part of the summary; an Error means
// that the run could not go on, and that it can be resumed.
Result<RunSummary> run_forge(const ForgeParts& parts);

}  // namespace kforge
