// The caps of a run, over all its agents, samples and sittings.
#include <condition_variable>

#include "asking_support.hpp"
#include "kforge/forge/asking.hpp"

namespace kforge {
namespace {

using Strings = std::vector<std::string>;

class RunBudgetTest : public AskingTest {};

TEST_F(RunBudgetTest, ABudgetOfTokensStopsTheRunAndMoreLetsItGoOn) {
    script({wrong(), wrong(), wrong(), correct_at(1)});
    price(0, 0, 1000);
    for (int i = 1; i <= 4; ++i) costs(i, 900, 0);
    config.budget_tokens = 20'000;
    provider.on_ask = [&](const std::string& key) {
        if (key == "generation 2") costs(2, 18'500, 0);
    };
    const RunSummary stopped = run_ok();
    EXPECT_EQ(stopped.records.size(), 2u);
    EXPECT_NE(stopped.stopped.find("20000 tokens"), std::string::npos) << stopped.stopped;
    EXPECT_EQ(events().back(), "stopped");
    config.budget_tokens = 0;
    EXPECT_EQ(run_ok().best, 4);
    EXPECT_EQ(provider.asked.size(), 4u) << "nothing is asked twice";
}

TEST_F(RunBudgetTest, ABudgetOfMoneyStopsTheRunAlsoBetweenTheAgents) {
    script({correct_at(1), correct_at(2)});
    price(0, 100, 1000);  // 0.1 USD a call at most
    costs(1, 1000, 0.1);
    config.budget_usd = 0.15;
    const RunSummary stopped = run_ok();
    EXPECT_EQ(stopped.records.size(), 1u);
    EXPECT_EQ(stopped.best, 1);
    EXPECT_NE(stopped.stopped.find("0.15 USD"), std::string::npos) << stopped.stopped;
    EXPECT_EQ(provider.asked, Strings{"generation 1"});
}

TEST_F(RunBudgetTest, ABudgetThatAllowsNoCallAtAllAsksNobody) {
    script({correct_at(1)});
    price(0, 100, 1000);
    config.budget_usd = 0.09;
    EXPECT_FALSE(run_ok().stopped.empty());
    EXPECT_TRUE(provider.asked.empty());
}

TEST_F(RunBudgetTest, CallsAreCountedOverAllSittings) {
    script({wrong(), wrong(), wrong(), wrong()});
    config.budget_calls = 2;
    EXPECT_NE(run_ok().stopped.find("2 calls"), std::string::npos);
    EXPECT_EQ(provider.asked.size(), 2u);
    run_ok();
    EXPECT_EQ(provider.asked.size(), 2u);
    config.budget_calls = 3;
    run_ok();
    EXPECT_EQ(provider.asked.size(), 3u);
}

TEST_F(RunBudgetTest, MinutesAreCountedOverAllSittings) {
    auto run_directory = RunDirectory::create(path(), "", "").value();
    ASSERT_TRUE(run_directory->append("generation_answered", 9, {{"worked_s", 590.0}}).ok());
    EXPECT_EQ(worked_seconds(*run_directory), 590);
    run_directory.reset();
    script({correct_at(1)});
    config.budget_minutes = 10;
    EXPECT_NE(run_ok().stopped.find("10 minutes"), std::string::npos);
    EXPECT_TRUE(provider.asked.empty());
    config.budget_minutes = 20;
    config.strategy = "single";
    run_ok();
    EXPECT_LE(provider.limits.at("generation 1").timeout_s, 610) << "a call gets no more time than is left";
}

TEST_F(RunBudgetTest, ParallelSamplesReserveTheirWorstCaseTogether) {
    script(std::vector<Evaluation>(6, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 6;
    price(0, 100, 1000);  // 0.1 USD a call at most
    for (int i = 1; i <= 6; ++i) costs(i, 1000, 0.1);
    config.budget_usd = 0.35;
    const RunSummary stopped = run_ok();
    EXPECT_EQ(provider.asked.size(), 3u) << "a fourth would have crossed the cap";
    EXPECT_EQ(stopped.records.size(), 3u) << "in order: what was paid for is evaluated";
    EXPECT_LE(stopped.usage.usd, 0.35);
    EXPECT_FALSE(stopped.stopped.empty());
}

TEST_F(RunBudgetTest, WhatParallelSamplesDidNotSpendIsSpentOnMore) {
    script(std::vector<Evaluation>(6, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 6;
    price(0, 100, 1000);
    for (int i = 1; i <= 6; ++i) costs(i, 100, 0.01);
    config.budget_usd = 0.25;
    EXPECT_EQ(run_ok().records.size(), 6u);
}

TEST_F(RunBudgetTest, ASlowSampleHoldsUpNoOther) {
    script(std::vector<Evaluation>(4, wrong()));
    config.strategy = "sample";
    config.samples = 4;
    config.parallel = 2;
    // The second answers only when the third has been asked: it takes the place that the first has left.
    std::mutex mutex;
    std::condition_variable asked_third;
    bool third = false;
    provider.unlocked = true;
    provider.streamed["generation 2"] = [&](const LlmCall&) {
        std::unique_lock lock(mutex);
        EXPECT_TRUE(asked_third.wait_for(lock, std::chrono::seconds(20), [&] { return third; }));
    };
    provider.streamed["generation 3"] = [&](const LlmCall&) {
        const std::lock_guard lock(mutex);
        third = true;
        asked_third.notify_all();
    };
    EXPECT_EQ(run_ok().records.size(), 4u);
}

TEST_F(RunBudgetTest, AnAnswerThatIsStillOutKeepsItsReserve) {
    script(std::vector<Evaluation>(3, wrong()));
    config.strategy = "sample";
    price(0, 100, 1000);
    config.samples = config.parallel = 3;
    config.budget_usd = 0.25;
    for (int i = 1; i <= 3; ++i) provider.outcomes["generation " + std::to_string(i)] = LlmPending{"wait"};
    EXPECT_EQ(run_ok().suspended, "wait");
    const std::set<std::string> asked(provider.asked.begin(), provider.asked.end());
    EXPECT_EQ(asked, (std::set<std::string>{"generation 1", "generation 2"}))
        << "a third could cross the cap";
}

TEST_F(RunBudgetTest, TheObserverHearsOfTheCostAlsoWhileSampling) {
    script(std::vector<Evaluation>(2, wrong()));
    config.strategy = "sample";
    config.samples = config.parallel = 2;
    run_ok();
    EXPECT_EQ(notes.used.first, 220);
    EXPECT_DOUBLE_EQ(notes.used.second, 1);
}

TEST_F(RunBudgetTest, TheJournalSaysWhetherACallWasPriced) {
    script({wrong(), wrong()});
    config.iterations = 1;
    run_ok();
    EXPECT_NE(read_file(path() / "journal.jsonl").value().find("\"priced\":false"), std::string::npos);
}

}  // namespace
}  // namespace kforge
