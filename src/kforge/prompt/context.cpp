#include "kforge/prompt/context.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> k_pass_kinds = {"first", "functional", "optimization"};

template <typename T, typename Function>
json list(const std::vector<T>& items, Function convert) {
    json array = json::array();
    for (const T& item : items) array.push_back(convert(item));
    return array;
}

template <typename T, typename Function>
json optional(const std::optional<T>& item, Function convert) {
    return item ? json(convert(*item)) : json(nullptr);
}

json from(const PlatformContext& platform) {
    return {{"name", platform.name},
            {"title", platform.title},
            {"language", platform.language},
            {"device", platform.device},
            {"guide", sanitize(platform.guide)},
            {"example_reference", sanitize(platform.example_reference)},
            {"example_kernel", sanitize(platform.example_kernel)},
            {"machine", list(platform.machine, sanitize)}};
}

json from(const Policies& policies) {
    return {{"precision", to_string(policies.precision)},
            {"weights", to_string(policies.weights)},
            {"batch", policies.require_batch},
            {"strides", policies.require_strides},
            {"kernels", to_string(policies.kernels)},
            {"mode", to_string(policies.mode)}};
}

json from(const ProblemContext& problem) {
    return {{"name", sanitize(problem.name)},
            {"source", sanitize(problem.source)},
            {"inputs", list(problem.inputs, sanitize)},
            {"outputs", list(problem.outputs, sanitize)},
            {"parameters", list(problem.parameters, sanitize)}};
}

json from_rule(const RuleContext& rule) {
    return {{"name", sanitize(rule.name)},
            {"pattern", sanitize(rule.pattern)},
            {"why", sanitize(rule.why)},
            {"required", rule.required}};
}

json from_speedup(const SpeedupContext& speedup) {
    return {{"value", speedup.value}, {"low", speedup.low}, {"high", speedup.high}};
}

json from_timing(const TimingContext& timing) {
    return {{"name", timing.name}, {"median_ms", timing.median_ms}, {"device_ms", timing.device_ms}};
}

json from(const AttemptContext& attempt) {
    const ResultContext& result = attempt.result;
    return {{"iteration", attempt.iteration},
            {"source", sanitize(attempt.source)},
            {"state", result.state},
            {"reason", result.reason},
            {"evidence", sanitize(result.evidence)},
            {"speedup", optional(result.speedup, from_speedup)},
            {"same_permission_speedup", optional(result.same_permission_speedup, from_speedup)},
            {"timings", list(result.timings, from_timing)}};
}

json from_best(const BestContext& best) {
    return {{"iteration", best.iteration},
            {"source", sanitize(best.source)},
            {"speedup", optional(best.speedup, from_speedup)}};
}

json from_history(const HistoryContext& entry) {
    return {{"iteration", entry.iteration},
            {"state", entry.state},
            {"reason", entry.reason},
            {"speedup", optional(entry.speedup, from_speedup)},
            {"recommendation", sanitize(entry.recommendation)}};
}

json from_reference_kernel(const ReferenceKernelContext& kernel) {
    return {
        {"platform", kernel.platform}, {"source", sanitize(kernel.source)}, {"note", sanitize(kernel.note)}};
}

json from_auxiliary(const AuxiliaryFile& file) {
    return {{"path", sanitize(file.path)}, {"content", sanitize(file.content)}, {"language", file.language}};
}

json from_hook(const HookContext& hook) {
    json numbers = json::object();
    for (const auto& [name, value] : hook.numbers) numbers[sanitize(name)] = value;
    return {{"name", sanitize(hook.name)}, {"numbers", numbers}};
}

json from_profile(const ProfileContext& profile) {
    return {{"name", profile.name}, {"text", sanitize(profile.text)}, {"images", profile.images}};
}

}  // namespace

std::string_view to_string(PassKind value) {
    return k_pass_kinds[static_cast<size_t>(value)];
}

json to_json(const GenerationContext& context) {
    return {{"platform", from(context.platform)},
            {"policies", from(context.policies)},
            {"rules", list(context.rules, from_rule)},
            {"problem", from(context.problem)},
            {"reference_kernels", list(context.reference_kernels, from_reference_kernel)},
            {"auxiliary", list(context.auxiliary, from_auxiliary)},
            {"pass_kind", to_string(context.pass_kind)},
            {"iteration", context.iteration},
            {"iterations", context.iterations},
            {"history", list(context.history, from_history)},
            {"previous", optional(context.previous, [](const AttemptContext& a) { return from(a); })},
            {"best", optional(context.best, from_best)},
            {"recommendation", sanitize(context.recommendation)},
            {"hooks", list(context.hooks, from_hook)},
            {"notes", list(context.notes, sanitize)}};
}

json to_json(const AnalysisContext& context) {
    return {{"platform", from(context.platform)},
            {"policies", from(context.policies)},
            {"problem", from(context.problem)},
            {"candidate", from(context.candidate)},
            {"profiles", list(context.profiles, from_profile)},
            {"iteration", context.iteration},
            {"iterations", context.iterations},
            {"history", list(context.history, from_history)},
            {"hooks", list(context.hooks, from_hook)},
            {"notes", list(context.notes, sanitize)}};
}

}  // namespace kforge
