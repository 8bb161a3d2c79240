// The loop as a whole: what is asked, evaluated, stored and told next.
#include "kforge/forge/forge.hpp"

#include "forge_support.hpp"

namespace kforge {
namespace {

using Strings = std::vector<std::string>;

class ForgeTest : public ::testing::Test, protected ForgeBench {
  protected:
    // The evaluations of iterations 1, 2, ... in order.
    void script(const std::vector<Evaluation>& evaluations) {
        for (size_t i = 0; i < evaluations.size(); ++i)
            arena.evaluations[std::to_string(i + 1)] = evaluations[i];
    }
    std::string stored(int iteration, const std::string& name) const {
        const std::string number = (iteration < 10 ? "0" : "") + std::to_string(iteration);
        return read_file(path() / "iterations" / number / name).value_or("(missing)");
    }
};

TEST_F(ForgeTest, RefinementRepairsThenOptimizesAndKeepsTheBest) {
    script({wrong(), correct_at(1.5), correct_at(1.2), correct_at(2)});
    const RunSummary summary = run_ok();
    EXPECT_EQ(passes_of(summary), (Strings{"first 0", "functional 1", "optimization 2", "optimization 2"}));
    EXPECT_EQ(summary.best, 4);
    EXPECT_EQ(read_file(path() / "best/candidate.py").value_or(""), candidate_text("4"));
    EXPECT_EQ(arena.evaluated, (Strings{"1", "2", "3", "4"}));
    EXPECT_EQ(provider.asked, (Strings{"generation 1", "generation 2", "analysis 2", "generation 3",
                                       "analysis 3", "generation 4"}));
    EXPECT_EQ(summary.usage.input_tokens, 4 * 100 + 2 * 50);
    EXPECT_DOUBLE_EQ(summary.usage.usd, 2);
    EXPECT_EQ(events().back(), "run_done");
}

TEST_F(ForgeTest, TheArenaIsPreparedWhileTheLlmAnswers) {
    script({correct_at(2)});
    config.iterations = 1;
    provider.on_ask = [&](const std::string&) { EXPECT_TRUE(arena.prepared); };
    run_ok();
    EXPECT_TRUE(arena.prepared);
}

TEST_F(ForgeTest, BothAgentsAreToldWhichMachineItIs) {
    const DevicePeaks peaks{"stone",   4800, 0, 50, {{"fp16", 989.4}, {"fp32", 67}, {"fp64", 34}},
                            "2026-11", 132};
    detection.found = {{"device", "A stone"}, {"toolchain", "Chisel 3.6"}};
    detection.peaks = &peaks;
    const std::string told =
        R"("machine":["device: A stone","toolchain: Chisel 3.6","peaks: 4800 GB/s, fp32 67 TFLOPS, )"
        R"x(50 MB of last-level cache, 132 compute units (data sheet, 2026-11)"])x";
    detection.usable = true;
    script({correct_at(2), correct_at(3)});
    config.iterations = 2;
    run_ok();
    EXPECT_NE(stored(1, "prompt.md").find(told), std::string::npos) << stored(1, "prompt.md");
    EXPECT_NE(stored(1, "analysis/prompt.md").find(told), std::string::npos);
}

TEST_F(ForgeTest, NothingIsToldOfAMachineThatLacksTheDevice) {
    detection.found = {{"toolchain", "Chisel 3.6"}};
    script({correct_at(2)});
    config.iterations = 1;
    run_ok();
    EXPECT_NE(stored(1, "prompt.md").find(R"("machine":[])"), std::string::npos);
}

TEST_F(ForgeTest, TheRunDirectoryHoldsEveryStep) {
    script({wrong(), correct_at(1.5), correct_at(1.2), correct_at(2)});
    run_ok();
    EXPECT_EQ(events(), (Strings{"run_started",
                                 "vetted",
                                 "prompted",
                                 "generation_asked",
                                 "generation_answered",
                                 "evaluated",  //
                                 "prompted",
                                 "generation_asked",
                                 "generation_answered",
                                 "evaluated",
                                 "confirmed",
                                 "best",
                                 "analysis_prompted",  //
                                 "analysis_asked",
                                 "analysis_answered",
                                 "advised",  //
                                 "prompted",
                                 "generation_asked",
                                 "generation_answered",
                                 "evaluated",
                                 "analysis_prompted",  //
                                 "analysis_asked",
                                 "analysis_answered",
                                 "advised",  //
                                 "prompted",
                                 "generation_asked",
                                 "generation_answered",
                                 "evaluated",
                                 "confirmed",
                                 "best",
                                 "run_done"}));
    for (const char* name :
         {"prompt.md", "request.json", "response.json", "response.md", "candidate.py", "guard.json",
          "verdict.json", "timings.json", "recommendation.md", "analysis/prompt.md", "analysis/request.json",
          "analysis/response.json", "profile/profile.txt"})
        EXPECT_NE(stored(2, name), "(missing)") << name;
    EXPECT_EQ(stored(2, "candidate.py"), candidate_text("2"));
    EXPECT_EQ(stored(2, "recommendation.md").substr(0, 8), "Advice 2");
    EXPECT_EQ(nlohmann::json::parse(stored(1, "verdict.json"))["reason"], "values");
}

TEST_F(ForgeTest, AFunctionalPassIsToldTheEvidence) {
    script({wrong("the last row is wrong"), correct_at(1)});
    config.iterations = 2;
    run_ok();
    EXPECT_TRUE(told(1)["previous"].is_null());
    EXPECT_EQ(told(2)["pass_kind"], "functional");
    EXPECT_EQ(told(2)["previous"]["source"], candidate_text("1"));
    EXPECT_NE(told(2)["previous"].dump().find("the last row is wrong"), std::string::npos);
}

TEST_F(ForgeTest, TheRecommendationEntersTheNextPromptAndTheHistory) {
    script({correct_at(1), correct_at(2), correct_at(3)});
    config.iterations = 3;
    run_ok();
    EXPECT_EQ(told(2)["recommendation"].get<std::string>().substr(0, 8), "Advice 1");
    EXPECT_EQ(told(3)["recommendation"].get<std::string>().substr(0, 8), "Advice 2");
    EXPECT_NE(told(3)["history"].dump().find("Advice 1"), std::string::npos);
    EXPECT_NE(provider.prompts["analysis 1"].find("profile of "), std::string::npos);
    EXPECT_EQ(provider.times_asked("analysis 3"), 0) << "nobody would follow it";
}

TEST_F(ForgeTest, ARegressionStartsAgainFromTheBestAndSaysSo) {
    script({correct_at(3), correct_at(2), correct_at(1)});
    config.iterations = 3;
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.best, 1);
    EXPECT_EQ(told(3)["previous"]["source"], candidate_text("1"));
    EXPECT_EQ(arena.profiles, 1) << "the same candidate is profiled once";
    EXPECT_EQ(told(3)["history"].size(), 2u);
}

TEST_F(ForgeTest, ABrokenOptimizationIsRepairedTwiceWithTheBestAtHand) {
    script({correct_at(2), wrong(), wrong(), wrong(), correct_at(1)});
    config.iterations = 5;
    const RunSummary summary = run_ok();
    EXPECT_EQ(passes_of(summary),
              (Strings{"first 0", "optimization 1", "functional 2", "functional 3", "optimization 1"}));
    EXPECT_EQ(told(3)["best"]["source"], candidate_text("1"));
    EXPECT_EQ(summary.best, 1);
}

TEST_F(ForgeTest, OnlyWhatPassesAgainWithOtherSecretsBecomesTheBest) {
    script({correct_at(1.5), correct_at(9), correct_at(1.2)});
    arena.unconfirmed["2"] = Verdict::because(Reason::values, "it remembered the inputs");
    config.iterations = 3;
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.best, 1);
    EXPECT_EQ(summary.records[1].evaluation.verdict.reason, Reason::values);
    EXPECT_FALSE(summary.records[1].evaluation.speedup);
    EXPECT_NE(stored(2, "verdict.json").find("it remembered the inputs"), std::string::npos);
    EXPECT_EQ(read_file(path() / "best/candidate.py").value_or(""), candidate_text("1"));
    EXPECT_EQ(arena.confirmations, 2);  // the third is no better than the best
}

TEST_F(ForgeTest, SingleIsOneTry) {
    config.strategy = "single";
    script({wrong()});
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.records.size(), 1u);
    EXPECT_FALSE(summary.best);
    EXPECT_EQ(provider.asked, Strings{"generation 1"});
    EXPECT_FALSE(fs::exists(path() / "best"));
}

TEST_F(ForgeTest, SamplesAreIndependentAndTheBestIsKept) {
    config.strategy = "sample";
    config.samples = 3;
    script({correct_at(1), correct_at(3), wrong()});
    const RunSummary summary = run_ok();
    EXPECT_EQ(passes_of(summary), (Strings{"first 0", "first 0", "first 0"}));
    EXPECT_EQ(summary.best, 2);
    EXPECT_EQ(provider.asked.size(), 3u) << "nothing is analysed";
    EXPECT_TRUE(told(3)["history"].empty());
    EXPECT_TRUE(told(3)["previous"].is_null());
}

TEST_F(ForgeTest, SamplingThenRefiningRefinesTheBestSample) {
    config.samples = 3;
    config.iterations = 3;
    script({correct_at(1), correct_at(2), wrong(), wrong(), correct_at(5)});
    const RunSummary summary = run_ok();
    EXPECT_EQ(passes_of(summary),
              (Strings{"first 0", "first 0", "first 0", "optimization 2", "functional 4"}));
    EXPECT_EQ(summary.best, 5);
    EXPECT_EQ(provider.times_asked("analysis 3"), 1);
}

TEST_F(ForgeTest, ParallelSamplesGiveTheSameRun) {
    config.strategy = "sample";
    config.samples = 7;
    config.parallel = 3;
    script({wrong(), correct_at(1), correct_at(2), wrong(), correct_at(5), wrong(), correct_at(3)});
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.records.size(), 7u);
    EXPECT_EQ(summary.best, 5);
    for (int i = 1; i <= 7; ++i) EXPECT_EQ(provider.times_asked("generation " + std::to_string(i)), 1) << i;
    EXPECT_EQ(arena.evaluated, (Strings{"1", "2", "3", "4", "5", "6", "7"}));
}

TEST_F(ForgeTest, OneErrorOfSeveralCallsLosesNoAnswer) {
    config.strategy = "sample";
    config.samples = 4;
    config.parallel = 4;
    script({correct_at(1), correct_at(2), correct_at(3), correct_at(4)});
    provider.errors.insert({"generation 3", Error{ErrorKind::environment, "no key"}});
    const Result<RunSummary> failed = run();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().message, "no key");
    provider.errors.clear();
    EXPECT_EQ(run_ok().best, 4);
    EXPECT_EQ(provider.asked.size(), 5u) << "only the one that failed is asked again";
}

TEST_F(ForgeTest, ARejectedCandidateNeverRuns) {
    rules = {GuardRule{.name = "no-second",
                       .pattern = "mark = '2'",
                       .scope = GuardScope::anywhere,
                       .why = "because we say so",
                       .origin = "user"}};
    script({correct_at(1), correct_at(9), correct_at(2)});
    config.iterations = 3;
    const RunSummary summary = run_ok();
    EXPECT_EQ(arena.evaluated, (Strings{"1", "3"}));
    EXPECT_EQ(summary.records[1].evaluation.verdict.reason, Reason::guardrail);
    EXPECT_NE(summary.records[1].evaluation.verdict.evidence.find("because we say so"), std::string::npos);
    EXPECT_NE(stored(2, "guard.json").find("no-second"), std::string::npos);
    EXPECT_EQ(told(3)["pass_kind"], "functional");
    EXPECT_NE(told(3)["previous"].dump().find("because we say so"), std::string::npos);
    EXPECT_EQ(told(1)["rules"][0]["why"], "because we say so");
}

TEST_F(ForgeTest, AnAnswerWithoutACandidateCostsOneIterationAndIsExplained) {
    LlmAnswer talk;
    talk.text = "I would rather talk about it.";
    provider.outcomes["generation 1"] = talk;
    provider.outcomes["generation 2"] = LlmFailure{"refused", "it declined", {}};
    config.iterations = 3;
    arena.evaluations["3"] = correct_at(1);
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.records[0].evaluation.verdict.reason, Reason::no_code);
    EXPECT_NE(summary.records[0].evaluation.verdict.evidence.find("rather talk"), std::string::npos);
    EXPECT_EQ(summary.records[1].evaluation.verdict.reason, Reason::refused);
    EXPECT_EQ(told(2)["pass_kind"], "functional");
    EXPECT_EQ(told(2)["previous"]["reason"], "no_code");
    EXPECT_EQ(arena.evaluated, Strings{"3"});
    EXPECT_EQ(summary.best, 3);
}

TEST_F(ForgeTest, ATruncatedAnswerIsNamedSo) {
    LlmAnswer cut;
    cut.text = "```python\nimport torch\nclass New";
    cut.truncated = true;
    provider.outcomes["generation 1"] = cut;
    config.strategy = "single";
    EXPECT_EQ(run_ok().records[0].evaluation.verdict.reason, Reason::truncated);
}

TEST_F(ForgeTest, AnAnalysisThatFailsOrSaysNothingIsTolerated) {
    script({correct_at(1), correct_at(2), correct_at(3)});
    config.iterations = 3;
    provider.outcomes["analysis 1"] = LlmFailure{"network", "connection refused", {}};
    LlmAnswer blank;
    blank.text = "```\n```";
    provider.outcomes["analysis 2"] = blank;
    const RunSummary summary = run_ok();
    EXPECT_EQ(summary.best, 3);
    EXPECT_EQ(told(2)["recommendation"], "");
    EXPECT_EQ(told(3)["recommendation"], "");
    EXPECT_NE(notes.text().find("connection refused"), std::string::npos);
    EXPECT_NE(notes.text().find("holds none"), std::string::npos);
}

TEST_F(ForgeTest, WithoutAProfileTheAnalysisIsAskedAllTheSame) {
    script({correct_at(1), correct_at(2)});
    config.iterations = 2;
    arena.profile_failure = "perf is not here";
    EXPECT_EQ(run_ok().best, 2);
    EXPECT_EQ(provider.times_asked("analysis 1"), 1);
    EXPECT_NE(notes.text().find("perf is not here"), std::string::npos);
}

TEST_F(ForgeTest, ABrokenProblemCostsNothing) {
    arena.vet_report = {"broken", "problem", "p.py does not define Model"};
    const Result<RunSummary> summary = run();
    ASSERT_FALSE(summary.ok());
    EXPECT_EQ(summary.error().message, "p.py does not define Model");
    EXPECT_TRUE(summary.error().kind == ErrorKind::config || summary.error().kind == ErrorKind::usage);
    EXPECT_TRUE(provider.asked.empty());
}

TEST_F(ForgeTest, ADoubtfulProblemIsNotedOnceAndStoredWithTheRun) {
    arena.vet_report = {"degenerate", "constant", "output 0 is the constant 0"};
    script({correct_at(1)});
    config.strategy = "single";
    EXPECT_EQ(run_ok().vet.reason, "constant");
    EXPECT_NE(notes.text().find("the problem is degenerate: output 0 is the constant 0"), std::string::npos);
    EXPECT_EQ(run_ok().vet.evidence, "output 0 is the constant 0");
    EXPECT_EQ(arena.vets, 1);
}

TEST_F(ForgeTest, ABrokenTemplateStopsTheRunBeforeAnybodyIsAsked) {
    renderer.broken = "generation.md.j2";
    script({correct_at(1)});
    config.strategy = "single";
    const Result<RunSummary> failed = run();
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().kind, ErrorKind::config);
    EXPECT_TRUE(provider.asked.empty());
    renderer.broken.clear();
    EXPECT_EQ(run_ok().best, 1) << "mended, it goes on";
}

TEST_F(ForgeTest, EveryIterationIsObserved) {
    script({wrong("first line\nsecond line"), correct_at(2)});
    config.iterations = 2;
    run_ok();
    ASSERT_EQ(notes.done.size(), 2u);
    EXPECT_EQ(notes.done[0].evidence, "first line");
    EXPECT_FALSE(notes.done[0].best);
    EXPECT_TRUE(notes.done[1].best);
    EXPECT_EQ(notes.done[1].total, 2);
}

}  // namespace
}  // namespace kforge
