// Budgets that are part of a campaign's.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "kforge/forge/budget.hpp"
#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

Llm dollar_llm() {
    Llm llm;
    llm.name = "writer";
    llm.usd_per_million_input = 0;
    llm.usd_per_million_output = 100;
    llm.max_output_tokens = 10'000;  // a dollar
    return llm;
}

constexpr PromptSize k_prompt{.bytes = 100};

Budget part_of(Budget& whole, const BudgetCaps& caps = {}, double worked_s = 0) {
    return Budget(caps, {}, {&whole, [worked_s] { return worked_s; }});
}

TEST(WholeBudget, ACallMustFitBoth) {
    Budget whole({.calls = 2}, {});
    Budget one = part_of(whole, {.calls = 1});
    Budget other = part_of(whole);
    const Budget::Grant first = one.reserve(dollar_llm(), k_prompt, 0);
    ASSERT_TRUE(first.llm);
    const Budget::Grant own = one.reserve(dollar_llm(), k_prompt, 0);
    EXPECT_FALSE(own.llm);
    EXPECT_FALSE(own.by_whole) << own.refusal;
    EXPECT_EQ(whole.reserved().calls, 1) << "what a part refuses is not reserved in the whole";
    ASSERT_TRUE(other.reserve(dollar_llm(), k_prompt, 0).llm);
    const Budget::Grant third = other.reserve(dollar_llm(), k_prompt, 0);
    EXPECT_FALSE(third.llm);
    EXPECT_TRUE(third.by_whole && third.others_out);
    EXPECT_NE(third.refusal.find("campaign"), std::string::npos);
    EXPECT_EQ(other.reserved().calls, 1) << "what the whole refuses is not reserved in the part";
    one.settle(first.ticket, {.output_tokens = 10, .usd = 0.25});
    EXPECT_EQ(whole.spent().usd, 0.25);
    EXPECT_EQ(whole.spent().calls, 1);
    EXPECT_EQ(other.spent().calls, 0);
}

TEST(WholeBudget, EitherCapOnTimeEndsTheWork) {
    Budget whole({.minutes = 10}, {});
    double worked_on_all_s = 0;
    Budget part({.minutes = 2}, {}, {&whole, [&] { return worked_on_all_s; }});
    EXPECT_EQ(part.out_of_time(119).why, "");
    EXPECT_NE(part.out_of_time(120).why, "");
    EXPECT_FALSE(part.out_of_time(120).by_whole);
    worked_on_all_s = 600;
    const Budget::OutOfTime late = part.out_of_time(1);
    EXPECT_TRUE(late.by_whole);
    EXPECT_NE(late.why.find("campaign"), std::string::npos) << late.why;
}

TEST(WholeBudget, TheNarrowerLimitHolds) {
    Budget whole({.usd = 3, .minutes = 2}, {});
    Budget one = part_of(whole, {.minutes = 10}, 60);
    Llm llm = dollar_llm();
    llm.max_output_tokens = 100'000;  // ten dollars
    llm.timeout_s = 1000;
    const Budget::Grant grant = one.reserve(llm, k_prompt, 0);
    ASSERT_TRUE(grant.llm) << grant.refusal;
    EXPECT_LE(grant.llm->max_output_tokens, 30'000);
    EXPECT_EQ(grant.llm->timeout_s, 60);
    EXPECT_LE(whole.reserved().usd, 3);
    EXPECT_LE(one.reserved().usd, 3);
    EXPECT_FALSE(one.extend(grant.ticket, *grant.llm, k_prompt, {.output_tokens = 30'000, .usd = 3}));
    one.release(grant.ticket);
    EXPECT_EQ(whole.reserved().usd, 0);
    EXPECT_EQ(one.reserved().usd, 0);
}

TEST(WholeBudget, AParkedCallStaysReservedAndNobodyWaitsForIt) {
    Budget whole({.usd = 1.5}, {});
    Budget one = part_of(whole);
    Budget other = part_of(whole);
    const Budget::Grant first = one.reserve(dollar_llm(), k_prompt, 0);
    EXPECT_TRUE(other.reserve(dollar_llm(), k_prompt, 0).others_out);
    one.park(first.ticket);
    const Budget::Grant refused = other.reserve(dollar_llm(), k_prompt, 0);
    EXPECT_FALSE(refused.llm);
    EXPECT_FALSE(refused.others_out);
    EXPECT_EQ(whole.reserved().usd, 1);
    other.wait_for_others(std::chrono::hours(1));  // returns: there is nothing to wait for
    one.settle(first.ticket, {.usd = 0.5});
    EXPECT_TRUE(other.reserve(dollar_llm(), k_prompt, 0).llm);
}

TEST(WholeBudget, IsNeverCrossedByRunsAtOnce) {
    const double cap = 20.5;
    Budget whole({.usd = cap}, {.usd = 0.25});
    std::atomic<bool> crossed{false};
    std::vector<std::jthread> runs;
    for (unsigned seed = 0; seed < 8; ++seed)
        runs.emplace_back([&, seed] {
            std::mt19937 random(seed);
            Budget own = part_of(whole, {.usd = 6});
            while (true) {
                const Budget::Grant grant = own.reserve(dollar_llm(), k_prompt, 0);
                crossed = crossed || whole.spent().usd > cap + 1e-9;
                if (!grant.llm && grant.by_whole && grant.others_out) {
                    own.wait_for_others(std::chrono::milliseconds(20));
                    continue;
                }
                if (!grant.llm) return;
                std::this_thread::yield();
                own.settle(grant.ticket, {.usd = 0.1 * (random() % 11)});
            }
        });
    runs.clear();  // joins
    EXPECT_FALSE(crossed);
    EXPECT_LE(whole.spent().usd, cap + 1e-9);
    EXPECT_GT(whole.spent().usd, cap - 1) << "it stopped with room for another call";
    EXPECT_EQ(whole.reserved().calls, 0);
}

}  // namespace
}  // namespace kforge
