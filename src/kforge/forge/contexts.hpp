// Contexts: what the prompts are told of a run, gathered from its records. Pure.
#pragma once

#include "kforge/arena/arena.hpp"
#include "kforge/forge/record.hpp"
#include "kforge/platform/platform.hpp"
#include "kforge/profile/profiler.hpp"
#include "kforge/prompt/context.hpp"

namespace kforge {

// Of the peaks those that a candidate can use: by the policy, and by the dtypes of the problem.
PlatformContext platform_context(const Platform& platform, const Detection& detection, Precision precision,
                                 const ProblemFacts& facts);
ProblemContext problem_context(const std::string& name, const std::string& source, const ProblemFacts& facts);
std::vector<RuleContext> rule_contexts(const std::vector<GuardRule>& rules);
AttemptContext attempt_context(const IterationRecord& record);
std::vector<HistoryContext> history_contexts(const std::vector<IterationRecord>& records);
std::vector<HookContext> hook_contexts(const IterationRecord& record);

}  // namespace kforge
