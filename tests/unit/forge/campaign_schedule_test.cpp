#include "kforge/forge/campaign_schedule.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kforge {
namespace {

Schedule schedule_of(std::vector<std::string> platforms, std::vector<std::string> chain,
                     std::vector<std::string> llms,
                     const std::vector<std::string>& problems = {"s/01_p.x", "q"}) {
    CampaignConfig campaign;
    campaign.platforms = std::move(platforms);
    campaign.chain = std::move(chain);
    campaign.llms = std::move(llms);
    return Schedule(plan_runs(campaign, problems));
}

TEST(CampaignPlan, IsEveryProblemOnEveryPlatformWithEveryLlm) {
    const Schedule schedule = schedule_of({"one", "two"}, {}, {"a", "command:/b/c d"});
    ASSERT_EQ(schedule.runs().size(), 8u);
    EXPECT_EQ(schedule.runs()[0].name, "01-01_p-one-a");
    EXPECT_EQ(schedule.runs()[1].name, "02-01_p-one-command");
    EXPECT_EQ(schedule.runs()[7].name, "08-q-two-command");
    std::set<std::string> names;
    for (const PlannedRun& run : schedule.runs()) {
        names.insert(run.name);
        EXPECT_FALSE(run.after);
    }
    EXPECT_EQ(names.size(), 8u);
}

TEST(CampaignPlan, AChainGoesThroughTheSameProblemAndLlm) {
    const std::vector<PlannedRun> runs = schedule_of({"free"}, {"x", "y", "z"}, {"a", "b"}).runs();
    ASSERT_EQ(runs.size(), 16u);
    for (const PlannedRun& run : runs) {
        EXPECT_EQ(run.after.has_value(), run.platform == "y" || run.platform == "z");
        if (!run.after) continue;
        EXPECT_EQ(runs[*run.after].problem, run.problem);
        EXPECT_EQ(runs[*run.after].llm, run.llm);
        EXPECT_EQ(runs[*run.after].platform, run.platform == "z" ? "y" : "x");
    }
}

TEST(CampaignSchedule, AChainedRunWaitsUntilTheOneBeforeItIsOver) {
    Schedule schedule = schedule_of({}, {"x", "y"}, {"a"}, {"p"});
    EXPECT_EQ(schedule.next(), 0u);
    EXPECT_EQ(schedule.next(), std::nullopt);
    for (const RunState state : {RunState::suspended, RunState::failed}) {
        schedule.set(0, state);
        EXPECT_EQ(schedule.next(), std::nullopt) << to_string(state);
    }
    for (const RunState state :
         {RunState::correct, RunState::nothing, RunState::checked, RunState::stopped}) {
        schedule.set(0, state);
        schedule.set(1, RunState::waiting);
        EXPECT_EQ(schedule.next(), 1u) << to_string(state);
        EXPECT_EQ(schedule.kernel_for(1),
                  state == RunState::correct ? std::optional<size_t>(0) : std::nullopt);
    }
}

TEST(CampaignSchedule, TheNearestCorrectKernelServes) {
    Schedule schedule = schedule_of({}, {"x", "y", "z"}, {"a"}, {"p"});
    schedule.set(0, RunState::correct);
    schedule.set(1, RunState::checked);
    EXPECT_EQ(schedule.kernel_for(2), 0u);
    schedule.set(1, RunState::correct);
    EXPECT_EQ(schedule.kernel_for(2), 1u);
}

TEST(CampaignSchedule, OneThatIsHeldUpDoesNotHoldUpOthers) {
    Schedule schedule = schedule_of({}, {"x", "y"}, {"a", "b"}, {"p"});
    EXPECT_EQ(schedule.next(), 0u);
    EXPECT_EQ(schedule.next(), 1u);
    schedule.set(0, RunState::suspended);
    schedule.set(1, RunState::nothing);
    EXPECT_EQ(schedule.next(), 3u) << "the one of the other LLM";
    EXPECT_EQ(schedule.next(), std::nullopt);
    EXPECT_EQ(schedule.count(RunState::running), 1u);
}

TEST(CampaignSchedule, WhatWasAskedForEarlierBeginsFirst) {
    Schedule schedule = schedule_of({"one"}, {}, {"a", "b"});
    schedule.prefer(2);
    EXPECT_EQ(schedule.next(), 2u);
    EXPECT_EQ(schedule.next(), 0u);
}

TEST(CampaignSchedule, ARefusedLlmBeginsNoMoreRuns) {
    Schedule schedule = schedule_of({"one"}, {}, {"dear", "cheap"});
    schedule.refuse("dear");
    EXPECT_EQ(schedule.next(), 1u);
    EXPECT_EQ(schedule.next(), 3u);
    EXPECT_EQ(schedule.next(), std::nullopt);
    EXPECT_EQ(schedule.count(RunState::waiting), 2u);
}

}  // namespace
}  // namespace kforge
