#include "kforge/arena/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kforge/util/errors.hpp"

namespace kforge {
namespace {

// Paired samples: both sides of a round share the round's noise, as on a machine that is busy now and then.
struct Pairs {
    std::vector<double> baseline, candidate;
};

Pairs noisy_pairs(double ratio, size_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> round_noise(0, 0.5), own_noise(0, 0.05);
    Pairs pairs;
    for (size_t i = 0; i < count; ++i) {
        const double round = round_noise(random);
        pairs.baseline.push_back(ratio * round * own_noise(random));
        pairs.candidate.push_back(round * own_noise(random));
    }
    return pairs;
}

TEST(Statistics, TheMedianIsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
    EXPECT_DOUBLE_EQ(median({7}), 7);
    EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_DOUBLE_EQ(median({5, 5, 1, 5}), 5);
}

TEST(Statistics, TheMedianDoesNotDependOnTheOrder) {
    std::mt19937_64 random(1);
    for (size_t n = 1; n < 30; ++n) {
        std::vector<double> values(n);
        for (double& value : values) value = static_cast<double>(random() % 10);
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_DOUBLE_EQ(median(values), (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
    }
}

TEST(Statistics, NoSamplesAndUnpairedOnesAreABugOfOurs) {
    EXPECT_THROW(median({}), InternalError);
    EXPECT_THROW(ratio_interval({}, {}, 1), InternalError);
    EXPECT_THROW(ratio_interval({1, 2}, {1}, 1), InternalError);
}

TEST(Statistics, EqualRatiosGiveAnIntervalOfNoWidth) {
    const Interval interval = ratio_interval({2, 4, 8, 6}, {1, 2, 4, 3}, 1);
    EXPECT_DOUBLE_EQ(interval.value, 2);
    EXPECT_DOUBLE_EQ(interval.low, 2);
    EXPECT_DOUBLE_EQ(interval.high, 2);
}

TEST(Statistics, OneRoundIsItsOwnInterval) {
    const Interval interval = ratio_interval({3}, {2}, 1);
    EXPECT_DOUBLE_EQ(interval.value, 1.5);
    EXPECT_DOUBLE_EQ(interval.low, interval.high);
}

TEST(Statistics, TheIntervalHoldsItsValueAndIsTheSameForTheSameSeed) {
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        const Pairs pairs = noisy_pairs(1.3, 7 + seed % 20, seed);
        const Interval interval = ratio_interval(pairs.baseline, pairs.candidate, seed);
        EXPECT_LE(interval.low, interval.value);
        EXPECT_LE(interval.value, interval.high);
        EXPECT_GT(interval.low, 0);
        const Interval again = ratio_interval(pairs.baseline, pairs.candidate, seed);
        EXPECT_EQ(interval.low, again.low);
        EXPECT_EQ(interval.high, again.high);
    }
}

TEST(Statistics, ExchangingTheSidesInvertsTheRatio) {
    const Pairs pairs = noisy_pairs(1.7, 31, 3);
    const Interval forth = ratio_interval(pairs.baseline, pairs.candidate, 5);
    const Interval back = ratio_interval(pairs.candidate, pairs.baseline, 5);
    EXPECT_NEAR(forth.value * back.value, 1, 1e-12);
    EXPECT_NEAR(forth.low * back.high, 1, 0.02);
}

TEST(Statistics, NoiseThatBothSidesShareCancels) {
    const Pairs pairs = noisy_pairs(2, 101, 9);
    const Interval interval = ratio_interval(pairs.baseline, pairs.candidate, 1);
    EXPECT_NEAR(interval.value, 2, 0.05);
    EXPECT_LT(interval.high - interval.low, 0.15);
}

TEST(Statistics, OneWildSampleDoesNotMoveTheRatio) {
    Pairs pairs = noisy_pairs(2, 21, 4);
    const Interval before = ratio_interval(pairs.baseline, pairs.candidate, 1);
    pairs.candidate[3] *= 1e6;
    EXPECT_NEAR(ratio_interval(pairs.baseline, pairs.candidate, 1).value, before.value, 0.1);
}

TEST(Statistics, NineteenOfTwentyIntervalsHoldTheTruth) {
    int held = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        const Pairs pairs = noisy_pairs(1.5, 40, 1000 + seed);
        const Interval interval = ratio_interval(pairs.baseline, pairs.candidate, seed, 400);
        held += interval.low <= 1.5 && 1.5 <= interval.high;
    }
    EXPECT_GE(held, 180);
    EXPECT_LE(held, 199);
}

TEST(TimedEnough, ANarrowIntervalEndsTheSeriesButNotAtOnce) {
    EXPECT_FALSE(is_timed_enough(Interval{2, 1.99, 2.01}, 9));
    EXPECT_TRUE(is_timed_enough(Interval{2, 1.99, 2.01}, 10));
    EXPECT_FALSE(is_timed_enough(Interval{2, 1.9, 2.1}, 10));
}

TEST(TimedEnough, AClearlySlowerCandidateIsTimedBriefly) {
    EXPECT_TRUE(is_timed_enough(Interval{0.5, 0.48, 0.53}, 7));
    EXPECT_FALSE(is_timed_enough(Interval{0.5, 0.48, 0.53}, 6));
    EXPECT_FALSE(is_timed_enough(Interval{0.8, 0.7, 0.95}, 7));  // it may be as fast
    EXPECT_FALSE(is_timed_enough(Interval{0.5, 0.3, 0.8}, 7));   // nothing is known yet
}

TEST(TimedEnough, TheLongerItTakesTheLessIsAskedFor) {
    EXPECT_FALSE(is_timed_enough(Interval{1.2, 1.15, 1.25}, 30));
    EXPECT_TRUE(is_timed_enough(Interval{1.2, 1.15, 1.25}, 50));
}

TEST(TimedEnough, WhatIsOpenAnywayIsNotMadeNarrower) {
    EXPECT_FALSE(is_timed_enough(Interval{2, 1.9, 2.1}, 12, 0.09));
    EXPECT_TRUE(is_timed_enough(Interval{2, 1.9, 2.1}, 12, 0.11));
    EXPECT_FALSE(is_timed_enough(Interval{2, 1.9, 2.1}, 9, 0.11));
}

TEST(TimedEnough, ALargeSpeedupNeedsLessPrecision) {
    EXPECT_TRUE(is_timed_enough(Interval{4, 3.75, 4.25}, 20));
    EXPECT_FALSE(is_timed_enough(Interval{1.2, 1.125, 1.275}, 20));
}

}  // namespace
}  // namespace kforge
