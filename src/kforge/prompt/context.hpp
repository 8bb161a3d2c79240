// What a prompt is made of: plain data, filled by the forge, given to the templates as JSON under the same
// names. No sentence that an LLM reads is written here: wording belongs to the templates in prompts/.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kforge/prompt/auxiliary.hpp"
#include "kforge/util/policy.hpp"

namespace kforge {

struct PlatformContext {
    std::string name;
    std::string title;
    std::string language;  // of the kernels, in prose: "C++"
    std::string device;    // PyTorch's device string
    std::string guide;     // Markdown
    std::string example_reference;
    std::string example_kernel;
    std::vector<std::string> machine =
        {};  // what was found of the target here; empty: its device is not here
};

struct ProblemContext {
    std::string name;
    std::string source;
    std::vector<std::string> inputs;  // "x: float32 [1024, 8192]"; empty where not known
    std::vector<std::string> outputs;
    std::vector<std::string> parameters;
};

struct RuleContext {
    std::string name;
    std::string pattern;  // shown when not empty
    std::string why;
    bool required = false;  // false: banned
};

struct SpeedupContext {
    double value = 0;
    double low = 0;
    double high = 0;
};

struct TimingContext {
    std::string name;  // "candidate", "eager", "compile"
    double median_ms = 0;
    double device_ms = 0;  // by the device's own events; 0: not known
};

// A verdict with its numbers, as the arena gave it.
struct ResultContext {
    std::string state;
    std::string reason;  // empty when correct
    std::string evidence;
    std::optional<SpeedupContext> speedup;
    std::optional<SpeedupContext> same_permission_speedup;
    std::vector<TimingContext> timings;
};

struct AttemptContext {
    int iteration = 0;
    std::string source;  // empty when the answer held no candidate
    ResultContext result;
};

struct BestContext {
    int iteration = 0;
    std::string source;  // shown when not empty
    std::optional<SpeedupContext> speedup;
};

// One line about an earlier iteration, so that what failed is not tried again.
struct HistoryContext {
    int iteration = 0;
    std::string state;
    std::string reason;
    std::optional<SpeedupContext> speedup;
    std::string recommendation;  // what that iteration was asked to do; its first line is shown
};

struct ReferenceKernelContext {
    std::string platform;  // empty when not known
    std::string source;
    std::string note = {};  // how the two dialects differ; empty: nothing is written about them
};

struct HookContext {
    std::string name;
    std::map<std::string, double> numbers;
};

enum class PassKind { first, functional, optimization };
std::string_view to_string(PassKind value);

struct GenerationContext {
    PlatformContext platform;
    Policies policies;
    std::vector<RuleContext> rules;
    ProblemContext problem;
    std::vector<ReferenceKernelContext> reference_kernels;
    std::vector<AuxiliaryFile> auxiliary;
    PassKind pass_kind = PassKind::first;
    int iteration = 1;
    int iterations = 1;
    std::vector<HistoryContext> history;
    std::optional<AttemptContext> previous;  // what this pass starts from; none in a first pass
    std::optional<BestContext> best;         // set only when it is not `previous`
    std::string recommendation;              // empty: none
    std::vector<HookContext> hooks;
    std::vector<std::string> notes;  // further facts, a line each
};

struct ProfileContext {
    std::string name;  // the profiler
    std::string text;  // may be empty where there are images
    int images = 0;    // that are attached
};

struct AnalysisContext {
    PlatformContext platform;
    Policies policies;
    ProblemContext problem;
    AttemptContext candidate;
    std::vector<ProfileContext> profiles;
    int iteration = 1;
    int iterations = 1;
    std::vector<HistoryContext> history;
    std::vector<HookContext> hooks;
    std::vector<std::string> notes;
};

// Text that came from LLMs, programs and files is sanitized on the way: the JSON is always valid UTF-8.
nlohmann::json to_json(const GenerationContext& context);
nlohmann::json to_json(const AnalysisContext& context);

}  // namespace kforge
