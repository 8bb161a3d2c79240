#include "kforge/forge/budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "kforge/llm/answer.hpp"

namespace kforge {
namespace {

Llm priced(double input = 2, double output = 10) {
    Llm llm;
    llm.name = "writer";
    llm.usd_per_million_input = input;
    llm.usd_per_million_output = output;
    llm.max_output_tokens = 10'000;
    return llm;
}

Budget fresh(const BudgetCaps& caps) {
    return Budget(caps, {});
}

TEST(WorstCase, IsNeverLessThanWhatAProviderCanCount) {
    const Usage worst = worst_case(priced(), {.bytes = 4000, .images = 2});
    EXPECT_GE(worst.input_tokens, 4000 + 2 * 5000);
    EXPECT_EQ(worst.output_tokens, 10'000);
}

TEST(WorstCase, TakesTheDearestWayAPromptCanBeCounted) {
    Llm llm = priced(2, 10);
    const Usage usage{.input_tokens = 1'000'000, .output_tokens = 100'000};
    EXPECT_DOUBLE_EQ(*worst_usd(llm, usage), 2 + 1);
    llm.usd_per_million_cached_input = 0.2;
    llm.usd_per_million_cache_write = 2.5;
    EXPECT_DOUBLE_EQ(*worst_usd(llm, usage), 2.5 + 1);
    Usage written = usage;
    written.cache_write_tokens = usage.input_tokens;
    EXPECT_LE(cost_usd(llm, written), *worst_usd(llm, usage));
}

TEST(WorstCase, OfAnUnknownPriceIsUnknownAndOfAFreeOneNothing) {
    Llm llm = priced();
    llm.usd_per_million_output.reset();
    EXPECT_FALSE(worst_usd(llm, {}));
    EXPECT_EQ(worst_usd(priced(0, 0), {.input_tokens = 100, .output_tokens = 100}), 0);
    llm = priced();
    llm.priced_to_tokens = 1000;
    EXPECT_TRUE(worst_usd(llm, {.input_tokens = 1000}));
    EXPECT_FALSE(worst_usd(llm, {.input_tokens = 1001})) << "a longer prompt costs more than the prices say";
}

TEST(BudgetCheck, ACapInUsdNeedsPrices) {
    Llm llm = priced();
    llm.usd_per_million_input.reset();
    EXPECT_TRUE(check_prices({.tokens = 5}, llm).ok());
    EXPECT_TRUE(check_prices({.usd = 5}, priced(0, 0)).ok()) << "0 is a price";
    const Result<void> refused = check_prices({.usd = 5}, llm);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::config);
    for (const char* word : {"'writer'", "usd_per_million_input", "--budget-tokens"})
        EXPECT_NE(refused.error().message.find(word), std::string::npos) << word;
}

TEST(BudgetTest, WithoutCapsEverythingIsGranted) {
    Budget budget = fresh({});
    Llm unpriced;
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(budget.reserve(unpriced, {.bytes = 1 << 20}, 1e9).llm);
}

TEST(BudgetTest, RefusesWhatCouldCrossACapAndSaysWhich) {
    const Llm llm = priced();
    const auto refusal = [&](const BudgetCaps& caps, double worked_s = 0) {
        return fresh(caps).reserve(llm, {.bytes = 1000}, worked_s).refusal;
    };
    EXPECT_NE(refusal({.usd = 0.1}).find("0.1 USD"), std::string::npos) << refusal({.usd = 0.1});
    EXPECT_NE(refusal({.usd = 0.1}).find("max_output_tokens"), std::string::npos);
    EXPECT_NE(refusal({.tokens = 11'000}).find("11000 tokens"), std::string::npos);
    EXPECT_NE(refusal({.minutes = 10}, 590).find("10 minutes"), std::string::npos);
    EXPECT_EQ(refusal({.usd = 0.11, .tokens = 11'500, .calls = 1, .minutes = 10}, 500), "");
}

TEST(BudgetTest, CallsAreCounted) {
    Budget budget = fresh({.calls = 2});
    const Budget::Grant first = budget.reserve(priced(), {}, 0);
    ASSERT_TRUE(first.llm);
    ASSERT_TRUE(budget.reserve(priced(), {}, 0).llm);
    const Budget::Grant third = budget.reserve(priced(), {}, 0);
    EXPECT_FALSE(third.llm);
    EXPECT_TRUE(third.others_out);
    budget.release(first.ticket);
    EXPECT_TRUE(budget.reserve(priced(), {}, 0).llm) << "a call that was not made does not count";
}

TEST(BudgetTest, WhatWasSpentBeforeCounts) {
    Budget budget({.usd = 1}, {.usd = 0.95, .tokens = 5, .calls = 3});
    EXPECT_FALSE(budget.reserve(priced(), {}, 0).llm);
}

TEST(BudgetTest, ACallThatIsOutHoldsItsWorstCaseUntilItIsSettled) {
    const Llm llm = priced();  // at most 0.101 USD a call without a prompt
    Budget budget = fresh({.usd = 0.2});
    const Budget::Grant first = budget.reserve(llm, {}, 0);
    ASSERT_TRUE(first.llm);
    EXPECT_FALSE(budget.reserve(llm, {}, 0).llm);
    Usage usage;
    usage.usd = 0.01;
    budget.settle(first.ticket, usage);
    budget.settle(first.ticket, usage);
    EXPECT_DOUBLE_EQ(budget.spent().usd, 0.01) << "settled once";
    EXPECT_TRUE(budget.reserve(llm, {}, 0).llm);
}

TEST(BudgetTest, TheLastCallGetsTheRoomThatIsLeft) {
    Llm llm = priced(0, 10);
    llm.max_output_tokens = 128'000;  // 1.28 USD
    Budget budget({.usd = 1}, {.usd = 0.5});
    const Budget::Grant grant = budget.reserve(llm, {.bytes = 10'000}, 0);
    ASSERT_TRUE(grant.llm) << grant.refusal;
    EXPECT_EQ(grant.llm->max_output_tokens, 50'000);
    EXPECT_FALSE(Budget({.usd = 1}, {.usd = 0.9}).reserve(llm, {}, 0).llm) << "too little for an answer";
    Budget tokens({.tokens = 60'500}, {});
    EXPECT_EQ(tokens.reserve(llm, {.bytes = 10'000}, 0).llm->max_output_tokens, 50'000);
}

TEST(BudgetTest, ASecondRequestOfACallNeedsRoomOfItsOwn) {
    const Llm llm = priced(0, 100);  // 1 USD of output a request
    const Usage first{.output_tokens = 10'000, .usd = 1};
    Budget budget = fresh({.usd = 2.5});
    const Budget::Grant one = budget.reserve(llm, {}, 0);
    EXPECT_TRUE(budget.extend(one.ticket, *one.llm, {}, first));
    EXPECT_DOUBLE_EQ(budget.reserved().usd, 2);
    EXPECT_FALSE(budget.reserve(llm, {}, 0).llm) << "the second request is reserved too";
    EXPECT_FALSE(budget.extend(one.ticket, *one.llm, {}, {.usd = 2})) << "a third could cross the cap";
    EXPECT_DOUBLE_EQ(budget.reserved().usd, 2) << "a refusal changes nothing";
    budget.settle(one.ticket, {.usd = 1.2});
    EXPECT_DOUBLE_EQ(budget.spent().usd, 1.2);
    EXPECT_FALSE(budget.extend(one.ticket, llm, {}, {})) << "it is over";

    Budget tokens = fresh({.tokens = 25'000});
    const Budget::Grant call = tokens.reserve(llm, {}, 0);
    EXPECT_FALSE(tokens.extend(call.ticket, *call.llm, {}, first)) << "the answer comes back as input";
}

TEST(BudgetTest, TheTimeThatIsLeftBoundsACall) {
    Llm llm = priced();
    llm.timeout_s = 1200;
    EXPECT_EQ(fresh({.minutes = 60}).reserve(llm, {}, 0).llm->timeout_s, 1200);
    EXPECT_EQ(fresh({.minutes = 60}).reserve(llm, {}, 3000).llm->timeout_s, 600);
}

TEST(BudgetTest, AUsdCapRefusesAPromptWhosePriceIsNotKnown) {
    Llm llm = priced();
    llm.priced_to_tokens = 2000;
    EXPECT_TRUE(fresh({.usd = 100}).reserve(llm, {.bytes = 1000}, 0).llm);
    const Budget::Grant grant = fresh({.usd = 100}).reserve(llm, {.bytes = 3000}, 0);
    EXPECT_FALSE(grant.llm);
    EXPECT_NE(grant.refusal.find("2000 tokens"), std::string::npos) << grant.refusal;
}

// Any prices, prompts, answers and order of arrival: no cap is crossed, and what is left is of use to nobody.
TEST(BudgetProperty, NoCapIsEverCrossedInAnyOrderOfCalls) {
    for (unsigned seed = 1; seed <= 400; ++seed) {
        std::mt19937 random(seed);
        const auto up_to = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
        const BudgetCaps caps{.usd = seed % 3 == 0 ? 0 : 0.01 + up_to(2),
                              .tokens = seed % 5 == 0 ? static_cast<long>(1000 + up_to(500'000)) : 0,
                              .calls = seed % 7 == 0 ? static_cast<long>(1 + up_to(40)) : 0};
        Budget budget(caps, {});
        struct Open {
            long ticket;
            Llm llm;
            size_t bytes;
        };
        std::vector<Open> open;
        double paid = 0;
        long tokens = 0;
        long calls = 0;
        for (int step = 0; step < 200; ++step) {
            Llm llm = priced(up_to(10), up_to(50));
            if (random() % 2 == 0) llm.usd_per_million_cache_write = *llm.usd_per_million_input * 1.25;
            llm.max_output_tokens = static_cast<int>(1 + up_to(60'000));
            const size_t bytes = static_cast<size_t>(up_to(50'000));
            if (const Budget::Grant grant = budget.reserve(llm, {.bytes = bytes}, 0); grant.llm)
                open.push_back({grant.ticket, *grant.llm, bytes});
            while (!open.empty() && (open.size() > 8 || random() % 3 == 0)) {
                const size_t which = random() % open.size();
                const Open call = open[which];
                open.erase(open.begin() + static_cast<long>(which));
                Usage usage;  // anything up to the worst
                usage.input_tokens = static_cast<long>(up_to(static_cast<double>(call.bytes)));
                usage.cache_write_tokens = random() % 2 == 0 ? usage.input_tokens : 0;
                usage.output_tokens = random() % 2 == 0
                                          ? call.llm.max_output_tokens
                                          : static_cast<long>(up_to(call.llm.max_output_tokens));
                usage.usd = cost_usd(call.llm, usage);
                budget.settle(call.ticket, usage);
                paid += usage.usd;
                tokens += usage.input_tokens + usage.output_tokens;
                ++calls;
                if (caps.usd > 0) {
                    ASSERT_LE(paid, caps.usd + 1e-6) << "seed " << seed;
                }
                if (caps.tokens > 0) {
                    ASSERT_LE(tokens, caps.tokens) << "seed " << seed;
                }
                if (caps.calls > 0) {
                    ASSERT_LE(calls, caps.calls) << "seed " << seed;
                }
            }
        }
        EXPECT_NEAR(budget.spent().usd, paid, 1e-6);
    }
}

TEST(BudgetProperty, NoCapIsCrossedByThreads) {
    const BudgetCaps caps{.usd = 0.5, .tokens = 60'000, .calls = 50};
    Budget budget = fresh(caps);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            Llm llm = priced(2, 10);
            llm.max_output_tokens = 1000;
            for (int i = 0; i < 200; ++i) {
                const Budget::Grant grant = budget.reserve(llm, {.bytes = 100}, 0);
                if (!grant.llm) continue;
                Usage usage{.input_tokens = 100, .output_tokens = 900};
                usage.usd = cost_usd(llm, usage);
                budget.settle(grant.ticket, usage);
            }
        });
    for (std::thread& thread : threads) thread.join();
    const Spending spent = budget.spent();
    EXPECT_LE(spent.usd, caps.usd + 1e-9);
    EXPECT_LE(spent.tokens, caps.tokens);
    EXPECT_LE(spent.calls, caps.calls);
    EXPECT_GT(spent.calls, 0);
    EXPECT_EQ(budget.reserved().calls, 0);
}

}  // namespace
}  // namespace kforge
