#include "kforge/forge/record.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace kforge {

using nlohmann::json;

namespace {

// Faster without a claim ranks below every claim: one that is uneven on purpose keeps its middle call, and
// claims nothing. Among its like the value decides.
double rank_of(const Evaluation& evaluation) {
    constexpr double k_unclaimed = 1e-6;
    if (!evaluation.speedup) return 0;
    const double value = evaluation.speedup->value;
    return evaluation.claim == "faster" || value <= 1 ? value : 1 + k_unclaimed * (value - 1);
}

}  // namespace

Attempt IterationRecord::attempt(bool rank_by_hook) const {
    Attempt attempt;
    attempt.iteration = iteration;
    attempt.has_candidate = !candidate.empty();
    attempt.correct = evaluation.verdict.is_correct();
    if (!rank_by_hook) {
        attempt.rank = rank_of(evaluation);
        return attempt;
    }
    // A candidate that no hook scored ranks behind every scored one.
    attempt.rank = -std::numeric_limits<double>::max();
    for (const HookResult& hook : hooks)
        if (hook.score) attempt.rank = *hook.score;
    return attempt;
}

Result<void> store_evaluation(RunDirectory& run, const IterationRecord& record) {
    json verdict = to_json(record.evaluation);
    TRY(run.write(record.iteration, "timings.json", verdict["timings"].dump(1) + "\n"));
    TRY(run.write(record.iteration, "guard.json", to_json(record.guard).dump(1) + "\n"));
    verdict.erase("timings");
    return run.write(record.iteration, "verdict.json",
                     verdict.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

Result<Evaluation> load_evaluation(const RunDirectory& run, int iteration) {
    const auto damaged = [&](std::string_view why) {
        return Error{ErrorKind::config,
                     fmt::format("{} is damaged ({}): restore it from a copy, or start a new run",
                                 (run.iteration_path(iteration) / "verdict.json").string(), why)};
    };
    TRY_ASSIGN(const std::string verdict_text, run.read(iteration, "verdict.json"));
    TRY_ASSIGN(const std::string timings_text, run.read(iteration, "timings.json"));
    json verdict = json::parse(verdict_text, nullptr, false);
    json timings = json::parse(timings_text, nullptr, false);
    if (!verdict.is_object() || timings.is_discarded()) return damaged("it is no JSON object");
    verdict["timings"] = std::move(timings);
    Result<Evaluation> evaluation = evaluation_from_json(verdict);
    if (evaluation.ok()) return evaluation;
    return damaged(evaluation.error().message);
}

json to_json(const HookResult& hook) {
    return {{"name", hook.name},
            {"numbers", hook.numbers},
            {"score", hook.score ? json(*hook.score) : json()},
            {"failure", hook.failure}};
}

Result<HookResult> hook_result_from_json(const json& value) {
    try {
        HookResult hook;
        hook.name = value.at("name");
        hook.numbers = value.at("numbers").get<std::map<std::string, double>>();
        if (value.at("score").is_number()) hook.score = value["score"].get<double>();
        hook.failure = value.at("failure");
        return hook;
    } catch (const json::exception& error) {
        return Error{ErrorKind::parse, std::string("not a hook result: ") + error.what()};
    }
}

}  // namespace kforge
