#include "kforge/forge/contexts.hpp"

#include <algorithm>

namespace kforge {
namespace {

std::optional<SpeedupContext> speedup_context(const std::optional<Interval>& interval) {
    if (!interval) return std::nullopt;
    return SpeedupContext{interval->value, interval->low, interval->high};
}

bool has_dtype(const ProblemFacts& facts, const std::string& dtype) {
    for (const auto* lines : {&facts.inputs, &facts.outputs, &facts.parameters})
        for (const std::string& line : *lines)
            if (line.find(dtype) != std::string::npos) return true;
    return false;
}

DevicePeaks usable_peaks(DevicePeaks peaks, Precision precision, const ProblemFacts& facts) {
    if (!has_dtype(facts, "float64")) peaks.tflops.erase("fp64");
    if (!has_dtype(facts, "float8")) peaks.tflops.erase("fp8");
    if (precision == Precision::strict) {
        peaks.tflops.erase("tf32");
        if (!has_dtype(facts, " float16")) peaks.tflops.erase("fp16");
        if (!has_dtype(facts, "bfloat16")) peaks.tflops.erase("bf16");
    }
    return peaks;
}

}  // namespace

PlatformContext platform_context(const Platform& platform, const Detection& detection, Precision precision,
                                 const ProblemFacts& facts) {
    PlatformContext context{platform.name,          platform.title, platform.language,
                            platform.device,        platform.guide, platform.example_reference,
                            platform.example_kernel};
    if (!detection.usable) return context;
    for (const Found& item : detection.found) context.machine.push_back(to_text(item));
    if (detection.peaks != nullptr)
        context.machine.push_back("peaks: " + to_text(usable_peaks(*detection.peaks, precision, facts)));
    return context;
}

ProblemContext problem_context(const std::string& name, const std::string& source,
                               const ProblemFacts& facts) {
    return ProblemContext{name, source, facts.inputs, facts.outputs, facts.parameters};
}

std::vector<RuleContext> rule_contexts(const std::vector<GuardRule>& rules) {
    // The rules that KForge brings along are many patterns for few reasons: an LLM is told each reason once.
    // The user's own patterns are shown as they are.
    std::vector<RuleContext> contexts;
    for (const GuardRule& rule : rules) {
        const bool built_in = rule.origin == "policy" || rule.origin.starts_with("platform ");
        const auto told = [&](const RuleContext& known) {
            return known.pattern.empty() && known.name == rule.name;
        };
        if (built_in && std::any_of(contexts.begin(), contexts.end(), told)) continue;
        contexts.push_back({rule.name, built_in ? "" : rule.pattern, rule.why, rule.required});
    }
    return contexts;
}

AttemptContext attempt_context(const IterationRecord& record) {
    AttemptContext context;
    context.iteration = record.iteration;
    context.source = record.candidate;
    const Evaluation& evaluation = record.evaluation;
    context.result.state = to_string(evaluation.verdict.state);
    if (evaluation.verdict.reason) context.result.reason = to_string(*evaluation.verdict.reason);
    context.result.evidence = evaluation.verdict.evidence;
    context.result.speedup = speedup_context(evaluation.speedup);
    context.result.same_permission_speedup = speedup_context(evaluation.same_permission_speedup);
    if (evaluation.timings)
        for (const Series& series : evaluation.timings->series)
            context.result.timings.push_back({series.name, series.median_ms, series.device_ms});
    return context;
}

std::vector<HistoryContext> history_contexts(const std::vector<IterationRecord>& records) {
    std::vector<HistoryContext> contexts;
    for (const IterationRecord& record : records) {
        const AttemptContext attempt = attempt_context(record);
        contexts.push_back({record.iteration, attempt.result.state, attempt.result.reason,
                            attempt.result.speedup, record.followed});
    }
    return contexts;
}

std::vector<HookContext> hook_contexts(const IterationRecord& record) {
    std::vector<HookContext> contexts;
    for (const HookResult& hook : record.hooks) {
        HookContext context{hook.name, hook.numbers};
        if (hook.score) context.numbers["score"] = *hook.score;
        if (!context.numbers.empty()) contexts.push_back(std::move(context));
    }
    return contexts;
}

}  // namespace kforge
