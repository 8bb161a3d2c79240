#include "kforge/forge/hooks.hpp"

#include <fstream>

#include "forge_support.hpp"
#include "kforge/util/interrupt.hpp"

namespace kforge {
namespace {

using nlohmann::json;

class HooksTest : public ::testing::Test, protected ForgeBench {
  protected:
    ~HooksTest() override { set_interrupted_for_test(false); }

    std::string program(const std::string& name, const std::string& script) const {
        const fs::path file = programs.path() / name;
        std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(file, fs::perms::owner_all);
        return file.string();
    }

    // Not where runs are: memory may be mounted without the right to execute.
    TemporaryDirectory programs = TemporaryDirectory::create(::testing::TempDir(), "kf-hooks-").value();

    HookResult call(const std::string& hook, double timeout_s = 20) const {
        IterationRecord record;
        record.iteration = 3;
        record.evaluation = correct_at(1.5);
        const auto results = run_hooks({hook}, timeout_s, "/runs/one", record);
        EXPECT_TRUE(results.ok() && results->size() == 1);
        return results.ok() ? results->front() : HookResult{};
    }

    HookResult print(const std::string& text) const {
        std::ofstream(folder.path() / "printed") << text;
        return call(program("printer", "cat " + (folder.path() / "printed").string()));
    }
};

TEST_F(HooksTest, NumbersAndAScoreAreRead) {
    const HookResult result = print(R"({"score": 2.5, "watts": 80, "ratio": -1e-3})");
    EXPECT_EQ(result.name, "hook-1-printer");
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.score, 2.5);
    EXPECT_EQ(result.numbers, (std::map<std::string, double>{{"watts", 80}, {"ratio", -1e-3}}));
}

TEST_F(HooksTest, AHookThatMeasuresNothingIsFine) {
    for (const char* text : {"", "\n", "{}"}) {
        const HookResult result = print(text);
        EXPECT_EQ(result.failure, "") << text;
        EXPECT_FALSE(result.score) << text;
    }
}

TEST_F(HooksTest, GetsTheEvaluationAndWhereTheRunIs) {
    const std::string seen = (folder.path() / "seen").string();
    const HookResult result =
        call(program("look", "cat > " + seen + "; echo \"$KFORGE_RUN_DIR $KFORGE_ITERATION\" >> " + seen));
    EXPECT_EQ(result.failure, "");
    const std::string text = read_file(seen).value_or("");
    const json input = json::parse(text.substr(0, text.rfind('}') + 1));
    EXPECT_EQ(input["iteration"], 3);
    EXPECT_EQ(input["run_directory"], "/runs/one");
    EXPECT_EQ(input["state"], "correct");
    EXPECT_EQ(input["speedup"]["value"], 1.5);
    EXPECT_EQ(input["candidate"], nullptr);  // there was no code in the answer
    EXPECT_NE(text.find("/runs/one 3\n"), std::string::npos);
}

TEST_F(HooksTest, GetsThePathOfTheCandidate) {
    IterationRecord record;
    record.iteration = 3;
    record.candidate = "class NewModel: ...";
    const std::string seen = (folder.path() / "seen").string();
    ASSERT_TRUE(run_hooks({program("look", "cat > " + seen)}, 20, "/runs/one", record).ok());
    EXPECT_EQ(json::parse(read_file(seen).value_or(""))["candidate"], "/runs/one/iterations/03/candidate.py");
}

TEST_F(HooksTest, WhateverElseItPrintsIsReportedWithWhatItWas) {
    EXPECT_NE(print("hello there").failure.find("hello there"), std::string::npos);
    for (const char* text : {"[1, 2]", "3", "null", "{\"a\": 1", "\xFF\xFE"})
        EXPECT_NE(print(text).failure.find("no JSON object"), std::string::npos) << text;
    EXPECT_NE(print(R"({"watts": "many"})").failure.find("'watts' is not a finite number"),
              std::string::npos);
    EXPECT_NE(print(R"({"score": null})").failure.find("'score'"), std::string::npos);
    EXPECT_NE(print(R"({"score": 1e999})").failure.find("JSON"), std::string::npos);
    const HookResult partly = print(R"({"bad": [], "good": 2})");
    EXPECT_NE(partly.failure, "");
    EXPECT_EQ(partly.numbers.at("good"), 2);
    EXPECT_LT(print(std::string(1 << 20, 'x')).failure.size(), 1000u);
}

TEST_F(HooksTest, FailingHangingAndMissingHooksAreResults) {
    const HookResult failed = call(program("fails", "echo first >&2; echo the cause >&2; exit 3"));
    EXPECT_NE(failed.failure.find("exit status 3"), std::string::npos);
    EXPECT_NE(failed.failure.find("the cause"), std::string::npos);
    EXPECT_NE(call(program("hangs", "exec tail -f /dev/null"), 0.1).failure.find("0.1 s"), std::string::npos);
    EXPECT_NE(call("/no/such/hook").failure.find("/no/such/hook"), std::string::npos);
}

TEST_F(HooksTest, AnInterruptIsNoResult) {
    set_interrupted_for_test(true);
    IterationRecord record;
    const auto results = run_hooks({program("any", "exec tail -f /dev/null")}, 60, "/runs/one", record);
    ASSERT_FALSE(results.ok());
    EXPECT_EQ(results.error().kind, ErrorKind::cancelled);
}

TEST_F(HooksTest, AResultSurvivesTheTripToJsonAndBack) {
    for (const HookResult& hook :
         {HookResult{"hook-1-a", {{"x", 1.5}}, 2.0, ""}, HookResult{"hook-2-b", {}, {}, "no"}}) {
        const Result<HookResult> back = hook_result_from_json(to_json(hook));
        ASSERT_TRUE(back.ok());
        EXPECT_EQ(to_json(*back), to_json(hook));
    }
    EXPECT_FALSE(hook_result_from_json(json::object()).ok());
    EXPECT_FALSE(hook_result_from_json({{"name", 3}}).ok());
}

// In a run.

TEST_F(HooksTest, ResultsAreStoredAndToldToTheNextPrompt) {
    config.hook = {program("measure", R"(echo '{"watts": 7, "score": 3}')"), program("broken", "exit 1")};
    config.iterations = 2;
    arena.evaluations = {{"1", correct_at(1)}, {"2", correct_at(2)}};
    const RunSummary summary = run_ok();
    ASSERT_EQ(summary.records[0].hooks.size(), 2u);
    EXPECT_NE(read_file(path() / "iterations/01/hook-1-measure.json").value_or("").find("watts"),
              std::string::npos);
    const std::string told_hooks = told(2)["hooks"].dump();
    EXPECT_NE(told_hooks.find("watts"), std::string::npos);
    EXPECT_NE(told_hooks.find("score"), std::string::npos);
    EXPECT_NE(notes.text().find("hook-2-broken"), std::string::npos);
    EXPECT_EQ(summary.best, 2);
}

TEST_F(HooksTest, AScoreRanksInsteadOfTheSpeedupWhenAsked) {
    // The score is what the candidate's number makes of it: the slowest is the best.
    config.hook = {program("score", R"(echo "{\"score\": -$KFORGE_ITERATION}")")};
    config.iterations = 3;
    arena.evaluations = {{"1", correct_at(1)}, {"2", correct_at(2)}, {"3", correct_at(3)}};
    config.rank_by_hook = true;
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.best, 1);
    EXPECT_EQ(passes_of(summary)[2], "optimization 1");
    EXPECT_EQ(read_file(path() / "best/candidate.py").value_or(""), candidate_text("1"));
    EXPECT_EQ(run_ok().best, 1) << "read again, the scores are those of the journal";
}

TEST_F(HooksTest, AnUnscoredCandidateRanksBehindEveryScoredOne) {
    IterationRecord scored, unscored;
    scored.evaluation = correct_at(1);
    scored.hooks = {HookResult{"h", {}, -1e6, ""}};
    unscored.evaluation = correct_at(9);
    EXPECT_GT(scored.attempt(true).rank, unscored.attempt(true).rank);
    EXPECT_LT(scored.attempt(false).rank, unscored.attempt(false).rank);
}

TEST_F(HooksTest, WithoutAScoreClaimsRankThenValues) {
    const auto rank = [](double value, const char* claim) {
        IterationRecord record;
        record.evaluation = correct_at(value);
        record.evaluation.claim = claim;
        return record.attempt(false).rank;
    };
    EXPECT_GT(rank(1.5, "faster"), rank(3.0, "no difference"));
    EXPECT_GT(rank(3.0, "no difference"), rank(1.1, "no difference"));
    EXPECT_GT(rank(1.1, "no difference"), rank(0.9, "no difference"));
    EXPECT_GT(rank(0.9, "no difference"), rank(0.5, "slower"));
}

TEST_F(HooksTest, HooksAreCalledForWrongCandidatesTooAndNotTwice) {
    const std::string log = (folder.path() / "log").string();
    config.hook = {program("log", "echo $KFORGE_ITERATION >> " + log)};
    config.iterations = 2;
    arena.evaluations = {{"1", wrong()}, {"2", correct_at(2)}};
    run_ok();
    run_ok();
    EXPECT_EQ(read_file(log).value_or(""), "1\n2\n");
}

}  // namespace
}  // namespace kforge
