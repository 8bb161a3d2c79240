#include "kforge/arena/evaluation.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace kforge {
namespace {

using nlohmann::json;

Evaluation full_evaluation() {
    Evaluation evaluation;
    evaluation.verdict = Verdict::correct("agrees with the reference");
    evaluation.speedup = Interval{1.5, 1.4, 1.6};
    evaluation.same_permission_speedup = Interval{0.9, 0.8, 1.0};
    evaluation.claim = "faster";
    Timings timings;
    timings.series = {{"candidate", 2, {1.9, 2, 2.1}}, {"eager", 3, {2.9, 3, 3.1}}};
    timings.baseline = "eager";
    timings.same_permission_baseline = "half_eager";
    timings.overhead_ms = 0.05;
    timings.noise = Interval{1, 0.98, 1.02};
    timings.threads = 4;
    timings.processors = {0, 2};
    timings.other_load = 0.5;
    timings.cold = {{"candidate", 4, {4}}, {"eager", 5, {5}}};
    timings.cold_speedup = Interval{1.25, 1.2, 1.3};
    timings.notes = {"no baseline 'compile': because"};
    evaluation.timings = timings;
    evaluation.error = ErrorReport{1e-7, 2e-7, 8e-7, "strict", "normal"};
    evaluation.generality = {{"batch 1", "pass", ""},
                             {"strides sliced", "fail", "case 'strides sliced': no"}};
    evaluation.phases = {{"check", 0.5}, {"load", 1.25}};
    evaluation.open_promises = {"no jail"};
    evaluation.output = "building\n";
    return evaluation;
}

std::set<std::string> keys(const json& object) {
    std::set<std::string> names;
    for (const auto& [key, value] : object.items()) names.insert(key);
    return names;
}

TEST(Evaluation, HasExactlyTheseKeysWhateverWasFound) {
    // Programs read these: those of the design, less `guard` and `vet`, which callers add, and our own.
    const std::set<std::string> expected = {"state",   "reason",   "evidence",      "speedup",
                                            "timings", "error",    "generality",    "same_permission_speedup",
                                            "claim",   "phases_s", "open_promises", "output"};
    EXPECT_EQ(keys(to_json(full_evaluation())), expected);
    EXPECT_EQ(keys(to_json(Evaluation{})), expected);
    const json value = to_json(full_evaluation());
    EXPECT_EQ(keys(value["speedup"]), (std::set<std::string>{"value", "low", "high"}));
    EXPECT_EQ(keys(value["error"]),
              (std::set<std::string>{"candidate", "eager", "limit", "policy", "worst_case"}));
    EXPECT_EQ(keys(value["timings"]),
              (std::set<std::string>{"series", "baseline", "same_permission_baseline", "noise", "overhead_ms",
                                     "doubt_ms", "threads", "processors", "other_load", "cold", "device",
                                     "notes"}));
    EXPECT_EQ(keys(value["timings"]["series"]["candidate"]),
              (std::set<std::string>{"median_ms", "samples_ms"}));
}

TEST(Evaluation, WhatIsNotThereIsNull) {
    const json value = to_json(Evaluation{.verdict = Verdict::because(Reason::syntax, "line 3")});
    EXPECT_EQ(value["state"], "compilation_failure");
    EXPECT_EQ(value["reason"], "syntax");
    for (const char* key : {"speedup", "same_permission_speedup", "timings", "error"})
        EXPECT_TRUE(value[key].is_null()) << key;
    EXPECT_TRUE(value["generality"].is_array());
    EXPECT_TRUE(to_json(full_evaluation())["reason"].is_null());
}

TEST(Evaluation, SurvivesTheTripToJsonAndBack) {
    Evaluation failed{.verdict = Verdict::because(Reason::values, "line one\nline two \xE2\x82\xAC")};
    for (const Evaluation& evaluation : {full_evaluation(), Evaluation{}, failed}) {
        const json value = to_json(evaluation);
        const Result<Evaluation> back = evaluation_from_json(json::parse(value.dump()));
        ASSERT_TRUE(back.ok()) << back.error().message;
        EXPECT_EQ(to_json(*back), value);
        EXPECT_EQ(back->verdict.reason, evaluation.verdict.reason);
    }
}

TEST(Evaluation, AnythingElseIsAParseErrorAndNoCrash) {
    const json good = to_json(full_evaluation());
    const auto expect_refused = [](const json& value, const std::string& what) {
        const Result<Evaluation> result = evaluation_from_json(value);
        ASSERT_FALSE(result.ok()) << what;
        EXPECT_EQ(result.error().kind, ErrorKind::parse) << what;
    };
    for (const auto& [key, value] : good.items()) {
        json lacking = good;
        lacking.erase(key);
        expect_refused(lacking, "without " + key);
    }
    for (const char* key : {"state", "evidence", "generality", "open_promises", "output"}) {
        json wrong = good;
        wrong[key] = 5;
        expect_refused(wrong, std::string("a number as ") + key);
    }
    json unknown = good;
    unknown["state"] = "splendid";
    expect_refused(unknown, "an unknown state");
    unknown = good;
    unknown["reason"] = "bad luck";
    expect_refused(unknown, "an unknown reason");
    unknown = good;
    unknown["timings"]["series"]["eager"] = "fast";
    expect_refused(unknown, "a series that is none");
    for (const json& value : {json(), json::array(), json("text"), json(3)})
        expect_refused(value, value.dump());
}

}  // namespace
}  // namespace kforge
