#include "kforge/llm/limit_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace kforge {
namespace {

constexpr Moment k_ms = 1'000'000;
constexpr Moment k_s = 1'000'000'000;
constexpr Moment k_now = 5000 * k_s;

RateLimits requests_left(long remaining, long limit, Moment reset) {
    return {RateLimit{remaining, limit, Clock::time_point(std::chrono::nanoseconds(reset))}, std::nullopt};
}

LimitState met_state() {
    LimitState state;
    state.heard(state.grant(k_now - 60 * k_s, {}), {}, true, k_now - 60 * k_s);
    return state;
}

TEST(LimitState, AServerNobodyKnowsIsAskedOnceBeforeItIsAskedByAll) {
    LimitState state;
    EXPECT_LE(state.next_start(k_now, {}, {}), k_now);
    const Grant first = state.grant(k_now, {});
    EXPECT_GT(state.next_start(k_now, {}, {}), k_now);
    EXPECT_LE(state.next_start(k_now, {}, {}), k_now + k_s) << "and not for long";
    state.heard(first, {}, true, k_now + k_ms);
    EXPECT_LE(state.next_start(k_now + k_ms, {}, {}), k_now + k_ms);
}

TEST(LimitState, WhatWasSentAfterARequestIsNotInTheNumberItsAnswerBrings) {
    LimitState state = met_state();
    std::vector<Grant> sent;
    for (int i = 0; i < 8; ++i) sent.push_back(state.grant(k_now, {}));
    // The server counted the third when it had seen three of ten.
    state.heard(sent[2], requests_left(7, 10, k_now + k_s), true, k_now);
    EXPECT_EQ(state.requests.remaining, 2);
    // Answers overtake each other: an older one takes nothing back.
    state.heard(sent[0], requests_left(9, 10, k_now + k_s), true, k_now);
    EXPECT_EQ(state.requests.remaining, 2);
    state.grant(k_now, {});
    state.grant(k_now, {});
    EXPECT_GE(state.next_start(k_now, {}, {}), k_now + k_s) << "ten were sent";
}

TEST(LimitState, AfterTheResetTheLimitIsWholeLessWhatIsUnderWay) {
    LimitState state = met_state();
    state.heard(state.grant(k_now, {}), requests_left(0, 5, k_now + k_s), true, k_now);
    const Grant late = state.grant(k_now, {});  // lands in the next window, perhaps
    int started = 0;
    Moment now = k_now + k_s;
    Grant last = late;
    while (state.next_start(now, {}, {}) <= now) {
        last = state.grant(now, {});
        ASSERT_LE(++started, 4);
    }
    EXPECT_EQ(started, 4);
    EXPECT_LE(state.next_start(now, {}, {}), now + 60 * k_s) << "even if nobody ever says what holds";
    state.heard(last, requests_left(0, 5, now + 2 * k_s), true, now);
    EXPECT_EQ(state.next_start(now, {}, {}), now + 2 * k_s);
}

TEST(LimitState, WithoutALimitOneRequestFindsOutWhatHoldsAfterTheReset) {
    LimitState state = met_state();
    state.heard(state.grant(k_now, {}), requests_left(0, 0, k_now + k_s), true, k_now);
    EXPECT_EQ(state.next_start(k_now, {}, {}), k_now + k_s);
    EXPECT_LE(state.next_start(k_now + k_s, {}, {}), k_now + k_s);
    const Grant scout = state.grant(k_now + k_s, {});
    EXPECT_GT(state.next_start(k_now + k_s, {}, {}), k_now + k_s);
    state.heard(scout, requests_left(1000, 0, k_now + 60 * k_s), true, k_now + k_s);
    EXPECT_LE(state.next_start(k_now + k_s, {}, {}), k_now + k_s) << "and what it finds out holds";
}

TEST(LimitState, TheLastFewAreSpreadOverTheTime) {
    LimitState state = met_state();
    state.heard(state.grant(k_now, {}), requests_left(4, 50, k_now + 50 * k_s), true, k_now);
    EXPECT_EQ(state.next_start(k_now, {}, {}), k_now + 10 * k_s);
}

TEST(LimitState, TokensThatAreNotThereAreWaitedForOnce) {
    LimitState state = met_state();
    RateLimits limits;
    limits.tokens = RateLimit{1000, 4000, Clock::time_point(std::chrono::nanoseconds(k_now + 30 * k_s))};
    state.heard(state.grant(k_now, {100, 100}), limits, true, k_now);
    EXPECT_LE(state.next_start(k_now, {900, 900}, {}), k_now);
    state.heard(state.grant(k_now, {900, 900}), {}, true, k_now);
    EXPECT_EQ(state.next_start(k_now, {900, 900}, {}), k_now + 30 * k_s);
    const Moment later = k_now + 30 * k_s;
    EXPECT_LE(state.next_start(later, {9000, 9000}, {}), later)
        << "larger than the limit: some time it must go";
    state.grant(later, {9000, 9000});
    EXPECT_GT(state.next_start(later, {10, 10}, {}), later);
}

TEST(LimitState, TokensUnderWayMayCountAfterTheResetAndThoseOfTheKilledDoNotForever) {
    LimitState state = met_state();
    RateLimits limits;
    limits.tokens = RateLimit{1000, 1000, Clock::time_point(std::chrono::nanoseconds(k_now + k_s))};
    state.heard(state.grant(k_now, {}), limits, true, k_now);
    state.grant(k_now, {600, 600});  // nobody hears of it
    const Moment later = k_now + k_s;
    EXPECT_LE(state.next_start(later, {400, 400}, {}), later);
    EXPECT_GT(state.next_start(later, {500, 500}, {}), later);
    const Moment at_last = k_now + 62 * k_s;
    EXPECT_LE(state.next_start(at_last, {5000, 5000}, {}), at_last);
}

TEST(LimitState, APaceHoldsForEveryMinute) {
    std::mt19937 random(7);
    for (const Pace& pace : {Pace{7, 0}, Pace{0, 5000}, Pace{40, 9000}, Pace{1, 1}}) {
        LimitState state = met_state();
        std::vector<std::pair<Moment, long>> sent;
        Moment now = k_now;
        while (now < k_now + 600 * k_s) {
            const long tokens = 100 + static_cast<long>(random() % 1000);
            const Moment start = std::max(now, state.next_start(now, {tokens, tokens}, pace));
            ASSERT_LT(start, now + 62 * k_s);
            now = start + static_cast<Moment>(random() % 3) * k_s / 3;
            if (state.next_start(now, {tokens, tokens}, pace) > now) continue;
            state.grant(now, {tokens, tokens});
            sent.emplace_back(now, tokens);
            now += static_cast<Moment>(random() % 1000) * k_ms / 4;
        }
        for (size_t i = 0; i < sent.size(); ++i) {
            long requests = 0, tokens = 0;
            for (size_t k = i; k < sent.size() && sent[k].first < sent[i].first + 60 * k_s; ++k) {
                ++requests;
                tokens += sent[k].second;
            }
            if (pace.requests_per_minute > 0) {
                ASSERT_LE(requests, pace.requests_per_minute);
            }
            if (pace.tokens_per_minute > 1) {
                ASSERT_LE(tokens, pace.tokens_per_minute);
            }
        }
        EXPECT_GE(sent.size(), pace.requests_per_minute == 1 ? 9U : 40U) << "and is made use of";
    }
}

TEST(LimitState, WhatARequestDidNotUseOfItsReservationIsFreeAgain) {
    LimitState state = met_state();
    const Pace pace{0, 10'000};
    const Grant grant = state.grant(k_now, {100, 8000});
    EXPECT_GT(state.next_start(k_now, {100, 8000}, pace), k_now);
    state.used(grant, 500);
    EXPECT_LE(state.next_start(k_now, {100, 8000}, pace), k_now);
}

TEST(LimitState, StartsAreSpacedAfterItWasTooMuchAndLessSoWithEveryAnswer) {
    LimitState state = met_state();
    const Grant one = state.grant(k_now, {});
    const Grant two = state.grant(k_now, {});
    state.too_much(one, k_now + 10 * k_ms);
    const Moment gap = state.gap;
    EXPECT_GT(gap, 0);
    state.too_much(two, k_now + 10 * k_ms);
    EXPECT_EQ(state.gap, gap) << "sent together: one piece of news";
    const Moment later = k_now + k_s;
    EXPECT_LE(state.next_start(later, {}, {}), later);
    const Grant three = state.grant(later, {});
    EXPECT_EQ(state.next_start(later, {}, {}), later + gap);
    state.too_much(three, later);
    EXPECT_EQ(state.gap, 2 * gap);
    for (int i = 0; i < 100; ++i) state.heard(three, {}, true, later);
    EXPECT_EQ(state.gap, 0);
}

TEST(LimitState, TheQueueIsFirstComeFirstServedAndForgetsTheDead) {
    LimitState state;
    EXPECT_TRUE(state.is_first(1, k_now));
    state.stay(1, k_now);
    state.stay(2, k_now);
    EXPECT_TRUE(state.is_first(1, k_now));
    EXPECT_FALSE(state.is_first(2, k_now));
    EXPECT_FALSE(state.is_first(3, k_now)) << "who has no place is behind all that have one";
    state.stay(2, k_now + 900 * k_ms);
    EXPECT_TRUE(state.is_first(2, k_now + 1100 * k_ms)) << "the first was killed";
    state.leave(2);
    EXPECT_TRUE(state.is_first(3, k_now + 1100 * k_ms));
    for (std::uint64_t who = 10; who < 200; ++who) state.stay(who, k_now + 2 * k_s);
    EXPECT_TRUE(state.is_first(10, k_now + 2 * k_s)) << "more than there are places";
    EXPECT_FALSE(state.is_first(199, k_now + 2 * k_s));
}

TEST(LimitState, WhatCannotBeTrueIsDropped) {
    LimitState state = met_state();
    state.not_before = k_now + 7200 * k_s;
    state.last_start = k_now + 9 * k_s;
    state.gap = 1'000'000 * k_s;
    state.requests = {1, 0, 10, 0, k_now + 1'000'000 * k_s};
    state.bins[3] = {k_now / k_s + 3, 1000, 1000};
    state.queue[5] = {77, 1, k_now + k_s};
    state.mend(k_now);
    EXPECT_LE(state.next_start(k_now, {}, {1000, 1000}), k_now + 2 * k_s);
    EXPECT_TRUE(state.is_first(1, k_now));
}

}  // namespace
}  // namespace kforge
