// The caps of a run, over all its agents, samples and sittings.
#include <condition_variable>

#include "asking_support.hpp"
#include "kforge/forge/asking.hpp"
#include "kforge/report/lost_calls.hpp"

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

// The answer has come, and its evaluation fails for a reason of ours: a run with work left to do.
TEST_F(RunBudgetTest, MinutesBindEveryStepAndNotOnlyQuestions) {
    script({});
    config.strategy = "single";
    EXPECT_FALSE(run().ok()) << "nobody knows how to evaluate it";
    auto run_directory = RunDirectory::open(path()).value();
    ASSERT_TRUE(run_directory->append("evaluated", 9, {{"worked_s", 601.0}}).ok());
    run_directory.reset();
    script({correct_at(2)});
    config.budget_minutes = 10;
    const RunSummary stopped = run_ok();
    EXPECT_NE(stopped.stopped.find("10 minutes"), std::string::npos) << stopped.stopped;
    EXPECT_TRUE(arena.evaluated.empty());
    EXPECT_EQ(events().back(), "stopped");
    config.budget_minutes = 20;
    EXPECT_EQ(run_ok().best, 1);
    EXPECT_EQ(provider.asked, Strings{"generation 1"}) << "nothing is asked twice";
}

TEST_F(RunBudgetTest, WhatIsDoneIsShownHoweverLateItIs) {
    script({correct_at(2), correct_at(3)});
    config.iterations = 2;
    EXPECT_EQ(run_ok().best, 2);
    auto run_directory = RunDirectory::open(path()).value();
    ASSERT_TRUE(run_directory->append("evaluated", 9, {{"worked_s", 9999.0}}).ok());
    run_directory.reset();
    config.budget_minutes = 10;
    const RunSummary again = run_ok();
    EXPECT_EQ(again.best, 2);
    EXPECT_TRUE(again.stopped.empty()) << again.stopped;
    config.iterations = 3;
    EXPECT_FALSE(run_ok().stopped.empty());
}

TEST_F(RunBudgetTest, TheJournalKnowsHowLongEvaluationsTook) {
    script({correct_at(2)});
    config.strategy = "single";
    run_ok();
    const auto run_directory = RunDirectory::open(path()).value();
    for (const char* type : {"evaluated", "confirmed"})
        EXPECT_TRUE(run_directory->find(type, 1)->fields.contains("worked_s")) << type;
}

// What lies in the run directory at the instant of a call is all that a kill leaves.
TEST_F(RunBudgetTest, ACallKilledInFlightCountsAtItsWorst) {
    script(std::vector<Evaluation>(4, wrong()));
    price(0, 100, 1000);  // 0.1 USD a call at most
    for (int i = 1; i <= 4; ++i) costs(i, 100, 0.01);
    config.budget_usd = 0.25;
    const fs::path killed = folder.path() / "killed";
    provider.on_ask = [&](const std::string& key) {
        if (key == "generation 2") fs::copy(path(), killed, fs::copy_options::recursive);
    };
    EXPECT_EQ(run_ok().records.size(), 4u) << "0.04 of 0.25: nobody was killed";
    provider.on_ask = {};
    fs::remove_all(path());
    fs::rename(killed, path());
    auto events_now = RunDirectory::read_journal(path()).value();
    EXPECT_EQ(lost_calls(events_now).calls, 1);
    EXPECT_NEAR(lost_calls(events_now).usd, 0.1, 1e-9);
    // 0.01 are spent and 0.1 may be: a call at its worst fits, and after it, with 0.12, no other.
    config.budget_usd = 0.215;
    const RunSummary stopped = run_ok();
    EXPECT_EQ(stopped.records.size(), 2u) << stopped.stopped;
    EXPECT_FALSE(stopped.stopped.empty());
    EXPECT_NE(notes.text().find("1 call, at most"), std::string::npos) << notes.text();
    EXPECT_NEAR(stopped.usage.usd, 0.02, 1e-9) << "what is known is told apart";
    EXPECT_NEAR(notes.used.second, 0.02, 1e-9);
}

TEST_F(RunBudgetTest, AnInterruptedCallCountsAtItsWorstAndARefusedOneDoesNot) {
    script({wrong(), wrong()});
    config.iterations = 2;
    provider.errors.emplace("generation 1", Error{ErrorKind::environment, "the key is refused"});
    EXPECT_FALSE(run().ok());
    EXPECT_EQ(lost_calls(RunDirectory::read_journal(path()).value()).calls, 0);
    provider.errors.clear();
    provider.errors.emplace("generation 1", Error{ErrorKind::cancelled, "interrupted"});
    EXPECT_FALSE(run().ok());
    EXPECT_EQ(lost_calls(RunDirectory::read_journal(path()).value()).calls, 1);
    provider.errors.clear();
    config.budget_calls = 2;
    EXPECT_EQ(run_ok().records.size(), 1u) << "the interrupted one was a call";
}

TEST_F(RunBudgetTest, AnAnswerThatComesLaterIsNotLost) {
    script({wrong()});
    config.strategy = "single";
    provider.outcomes["generation 1"] = LlmPending{"wait"};
    run_ok();
    run_ok();
    EXPECT_EQ(lost_calls(RunDirectory::read_journal(path()).value()).calls, 0);
    provider.outcomes.clear();
    config.budget_calls = 1;
    EXPECT_EQ(run_ok().records.size(), 1u);
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
