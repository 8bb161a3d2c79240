#include "kforge/forge/hooks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kforge/util/process.hpp"
#include "kforge/util/text.hpp"

namespace kforge {
namespace {

using nlohmann::json;

std::string last_line(const std::string& text) {
    const std::vector<std::string> lines = split_lines(trim(sanitize(text)));
    return lines.empty() ? "" : lines.back();
}

void read_numbers(const std::string& printed, HookResult& result) {
    if (trim(printed).empty()) return;  // it had other things to do than to measure
    const json object = json::parse(printed, nullptr, false);
    if (!object.is_object()) {
        result.failure =
            fmt::format("printed no JSON object but: {}", elide_middle(trim(sanitize(printed)), 200));
        return;
    }
    for (const auto& [key, value] : object.items()) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) {
            result.failure = fmt::format("'{}' is not a finite number", sanitize(key));
            continue;
        }
        if (key == "score")
            result.score = value.get<double>();
        else
            result.numbers[sanitize(key)] = value.get<double>();
    }
}

}  // namespace

Result<std::vector<HookResult>> run_hooks(const std::vector<std::string>& programs, double timeout_s,
                                          const fs::path& run_directory, const IterationRecord& record) {
    std::vector<HookResult> results;
    json input = to_json(record.evaluation);
    input["iteration"] = record.iteration;
    input["run_directory"] = run_directory.string();
    input["candidate"] = nullptr;
    if (!record.candidate.empty())
        input["candidate"] =
            (run_directory / "iterations" / fmt::format("{:02}", record.iteration) / "candidate.py").string();
    for (const std::string& program : programs) {
        HookResult result;
        result.name = fmt::format("hook-{}-{}", results.size() + 1, fs::path(program).filename().string());
        ProcessSpec spec;
        spec.argv = {program};
        spec.environment = inherit_environment({"*"});
        spec.environment.push_back("KFORGE_RUN_DIR=" + run_directory.string());
        spec.environment.push_back(fmt::format("KFORGE_ITERATION={}", record.iteration));
        spec.input = input.dump(-1, ' ', false, json::error_handler_t::replace);
        spec.timeout = std::chrono::milliseconds(static_cast<long>(timeout_s * 1000));
        const Result<ProcessOutcome> outcome = run_process(spec);
        if (!outcome.ok()) {
            if (outcome.error().kind == ErrorKind::cancelled) return outcome.error();
            result.failure = outcome.error().message;
        } else if (outcome->timed_out) {
            result.failure = fmt::format("gave no result within {} s", timeout_s);
        } else if (!outcome->status.success()) {
            result.failure =
                fmt::format("ended with {}: {}", outcome->status.describe(), last_line(outcome->err));
        } else {
            read_numbers(outcome->out, result);
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace kforge
