#include "kforge/report/run_report.hpp"

#include <set>

#include "../store/store_support.hpp"

namespace kforge {
namespace {

using nlohmann::json;

class RunReportTest : public StoreTest {
  protected:
    void evaluated(RunDirectory& run, int iteration, const std::string& state, const json& speedup) const {
        ASSERT_TRUE(
            run.append("prompted", iteration, {{"pass", iteration == 1 ? "first" : "functional"}}).ok());
        ASSERT_TRUE(run.append("generation_answered", iteration,
                               {{"usage", {{"input_tokens", 90}, {"output_tokens", 10}, {"usd", 0.25}}}})
                        .ok());
        const json verdict = {{"state", state}, {"reason", nullptr}, {"evidence", "e"}, {"speedup", speedup}};
        ASSERT_TRUE(run.write(iteration, "verdict.json", verdict.dump()).ok());
        ASSERT_TRUE(run.write(iteration, "timings.json", "null").ok());
        ASSERT_TRUE(run.write(iteration, "guard.json", "[]").ok());
        ASSERT_TRUE(run.append("evaluated", iteration).ok());
    }
    RunReport report() const {
        const Result<RunReport> result = read_report(path());
        EXPECT_TRUE(result.ok()) << result.error().message;
        return result.ok() ? *result : RunReport{};
    }
};

TEST_F(RunReportTest, TellsIterationsBestAndCost) {
    auto run = create();
    ASSERT_TRUE(run->append("vetted", 0, {{"state", "ok"}}).ok());
    evaluated(*run, 1, "mismatch", nullptr);
    evaluated(*run, 2, "correct", {{"value", 2.0}, {"low", 1.9}, {"high", 2.1}});
    ASSERT_TRUE(run->append("best", 2).ok());
    ASSERT_TRUE(
        run->append("analysis_answered", 2, {{"usage", {{"input_tokens", 5}, {"estimated", true}}}}).ok());
    ASSERT_TRUE(run->append("run_done", 0).ok());

    const RunReport read = report();
    ASSERT_EQ(read.rows.size(), 2u);
    EXPECT_EQ(read.rows[0].pass, "first");
    EXPECT_FALSE(read.rows[0].best);
    EXPECT_TRUE(read.rows[1].best);
    EXPECT_EQ(read.best_row(), &read.rows[1]);
    EXPECT_EQ(read.status, "finished");
    EXPECT_EQ(read.cost.tokens(), 205);
    EXPECT_DOUBLE_EQ(read.cost.usd, 0.5);
    EXPECT_TRUE(read.cost.estimated);
    EXPECT_TRUE(read.cost.priced);
    EXPECT_EQ(read.agents.at("generation").calls, 2);
    EXPECT_EQ(read.agents.at("analysis").tokens(), 5);
    EXPECT_EQ(read.rows[1].number("/speedup/value"), 2.0);
    EXPECT_FALSE(read.rows[0].number("/speedup/value"));
    EXPECT_FALSE(read.rows[0].number("/no/such/thing"));
    EXPECT_EQ(read.rows[0].text("state"), "mismatch");
    EXPECT_EQ(read.rows[0].text("reason"), "");

    const json object = to_json(read);
    EXPECT_EQ(object["state"], "correct");
    EXPECT_EQ(object["best_iteration"], 2);
    EXPECT_EQ(object["best_candidate"], (path() / "best/candidate.py").string());
    EXPECT_EQ(object["iterations"].size(), 2u);
    EXPECT_EQ(object["cost"]["usd"], 0.5);
    EXPECT_EQ(object["cost"]["tokens"], 205);
    EXPECT_EQ(object["cost"]["calls"], 3);
    EXPECT_EQ(object["cost"]["estimated"], true);
    EXPECT_EQ(object["cost"]["agents"]["generation"]["input_tokens"], 180);
}

TEST_F(RunReportTest, TheHitRateIsThePartOfTheInputThatCameFromACache) {
    auto run = create();
    const auto answered = [&](int iteration, long input, long cached, bool priced) {
        return run->append(
            "generation_answered", iteration,
            {{"priced", priced},
             {"usage", {{"input_tokens", input}, {"cached_input_tokens", cached}, {"usd", 0.01}}}});
    };
    EXPECT_TRUE(to_json(report())["cost"]["cache_hit_rate"].is_null());
    ASSERT_TRUE(answered(1, 1000, 0, true).ok());
    EXPECT_EQ(to_json(report())["cost"]["cache_hit_rate"], 0);
    ASSERT_TRUE(answered(2, 1000, 900, false).ok());
    EXPECT_DOUBLE_EQ(to_json(report())["cost"]["cache_hit_rate"], 0.45);
    EXPECT_EQ(to_json(report())["cost"]["priced"], false);
    EXPECT_EQ(usd_text(report().cost), "$0.0200 and calls of unknown price");
}

TEST_F(RunReportTest, TheObjectHasTheSameKeysWhateverHappened) {
    // Of the design: those of an evaluation with guard and vet, and the run's own.
    const std::set<std::string> expected = {"state",
                                            "reason",
                                            "evidence",
                                            "speedup",
                                            "timings",
                                            "error",
                                            "generality",
                                            "same_permission_speedup",
                                            "guard",
                                            "vet",
                                            "run",
                                            "status",
                                            "message",
                                            "cost",
                                            "best_iteration",
                                            "best_candidate",
                                            "iterations"};
    const auto missing = [&](const json& object) {
        std::string names;
        for (const std::string& key : expected)
            if (!object.contains(key)) names += key + " ";
        return names;
    };
    auto run = create();
    EXPECT_EQ(missing(to_json(report())), "") << "before anything";
    ASSERT_TRUE(run->append("suspended", 0, {{"message", "answer 001.prompt.md"}}).ok());
    EXPECT_EQ(missing(to_json(report())), "") << "waiting for the first answer";
    EXPECT_TRUE(to_json(report())["state"].is_null());
    evaluated(*run, 1, "mismatch", nullptr);
    EXPECT_EQ(missing(to_json(report())), "") << "without a correct candidate";
    EXPECT_EQ(to_json(report())["state"], "mismatch") << "the last one, when none is correct";
}

TEST_F(RunReportTest, TheStatusIsThatOfTheLastEvent) {
    auto run = create();
    EXPECT_EQ(report().status, "unfinished");
    ASSERT_TRUE(run->append("suspended", 0, {{"message", "wait"}}).ok());
    EXPECT_EQ(report().status, "suspended");
    EXPECT_EQ(report().message, "wait");
    evaluated(*run, 1, "correct", nullptr);
    EXPECT_EQ(report().status, "unfinished") << "it went on";
    EXPECT_EQ(report().message, "");
    ASSERT_TRUE(run->append("stopped", 0, {{"message", "the budget is spent"}}).ok());
    EXPECT_EQ(report().status, "stopped");
    ASSERT_TRUE(run->append("run_done", 0).ok());
    EXPECT_EQ(report().status, "finished");
}

TEST_F(RunReportTest, ARunThatIsGoingOnOrLostFilesCanBeRead) {
    auto run = create();
    evaluated(*run, 1, "correct", nullptr);
    ASSERT_TRUE(run->append("prompted", 2, {{"pass", "optimization"}}).ok());
    EXPECT_EQ(report().rows.size(), 1u) << "only what was evaluated";
    fs::remove(path() / "iterations/01/timings.json");
    ASSERT_TRUE(run->write(1, "verdict.json", "half a fi").ok());
    const RunReport read = report();
    ASSERT_EQ(read.rows.size(), 1u);
    EXPECT_EQ(read.rows[0].text("state"), "");
    EXPECT_FALSE(to_json(read).dump().empty());
}

TEST_F(RunReportTest, WhatIsNoRunAndWhatIsNotUnderstoodIsSaid) {
    EXPECT_EQ(read_report(path()).error().kind, ErrorKind::config);
    auto run = create();
    ASSERT_TRUE(run->append("generation_answered", 1, {{"usage", "plenty"}}).ok());
    const Result<RunReport> read = read_report(path());
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().kind, ErrorKind::config);
    expect_contains(read.error().message, "journal.jsonl");
}

}  // namespace
}  // namespace kforge
