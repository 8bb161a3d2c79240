#include "kforge/arena/samples.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

const Samples k_samples = {
    {"candidate", {1, 1, 1}}, {"eager", {4, 4, 4}}, {"compile", {3, 3, 3}}, {"half_eager", {2, 2, 2}}};

TEST(Samples, TheFastestBaselineOfItsKind) {
    EXPECT_EQ(fastest(k_samples, is_plain), "compile");
    EXPECT_EQ(fastest(k_samples, is_any), "half_eager");
}

TEST(Samples, ABaselineThatMissedRoundsIsNotTheFastest) {
    Samples samples = k_samples;
    samples["compile"] = {1, 1};
    EXPECT_EQ(fastest(samples, is_plain), "eager");
}

TEST(Samples, WhatASideHasWaitedIsTakenOffThatSideOnly) {
    const Samples rest = without(k_samples, "eager", {1, 2, 100}, 200);
    EXPECT_EQ(rest.at("eager"), (std::vector<double>{3, 2, 0.04}));
    EXPECT_EQ(rest.at("compile"), k_samples.at("compile"));
}

TEST(Samples, NobodyHasWaitedLongerThanOthersHaveWorked) {
    EXPECT_EQ(without(k_samples, "eager", {2, 1, 1}, 2).at("eager"), (std::vector<double>{3, 3.5, 3.5}));
    EXPECT_EQ(without(k_samples, "eager", {2, 1, 1}, 0).at("eager"), k_samples.at("eager"));
}

TEST(Samples, WhatOnlyTheBaselineTookMoreInTheRaceIsNoSpeedup) {
    EXPECT_DOUBLE_EQ(slowed_alone(8, 8, 10, 8),
                     1.25);  // 1.25 times as fast in the race, and just as fast alone
    EXPECT_DOUBLE_EQ(slowed_alone(8, 6, 10, 7.5), 1);  // both use the caches
    EXPECT_DOUBLE_EQ(slowed_alone(8, 10, 10, 10), 1.25);
}

TEST(Samples, WhatIsLittleWorkForOnceCountsInTheMean) {
    const std::vector<double> values = as_in_the_mean({10, 10, 10, 10, 6, 6, 6, 6, 6, 10, 10, 10});
    EXPECT_DOUBLE_EQ(values.front(), 10 - 5 * 4 / 12.0);
}

TEST(Samples, WhatIsHardlyAnyWorkMayComeMoreOften) {
    std::vector<double> values(10, 1.0);
    values[3] = 0.1;
    EXPECT_DOUBLE_EQ(as_in_the_mean(values).front(), 1 - 0.5 * 0.4);
}

TEST(Samples, WhatTakesLongerForOnceIsNoise) {
    const std::vector<double> noisy = {1, 1.1, 0.95, 9, 1, 1, 30};
    EXPECT_EQ(as_in_the_mean(noisy), noisy);
}

TEST(Samples, WithoutBaselinesThereIsNothingToWaitFor) {
    const Samples alone = {{"candidate", {1, 1, 1}}};
    EXPECT_EQ(fastest(alone, is_any), "");
    EXPECT_TRUE(timed_enough(alone, {}, 1));
}

TEST(Samples, OnlyWhatIsClearlySlowerIsRetired) {
    const std::vector<double> slow(10, 4.0), quick(10, 3.0), nearly(10, 3.1), candidate(10, 1.0);
    const Samples samples = {
        {"candidate", candidate}, {"eager", slow}, {"compile", quick}, {"other", nearly}};
    std::vector<std::string> sides = {"candidate", "eager", "compile", "other"};
    retire_hopeless(samples, sides, 1);
    EXPECT_EQ(sides, (std::vector<std::string>{"candidate", "compile", "other"}));
}

TEST(Samples, NoMoreThanTheQuickestAnswerIsTakenOff) {
    const Samples walls = {{k_candidate, {1, 1, 1}},      {"eager", {4, 4, 4}},
                           {k_nothing, {0.3, 0.3, 9}},    {k_echo, {0.2, 0.2, 9}},
                           {k_echo_first, {0.1, 9, 0.1}}, {k_echo_last, {0.2, 0.2, 0.2}}};
    const Overhead overhead = overhead_of(walls);
    EXPECT_DOUBLE_EQ(overhead.least_ms, 0.1);
    EXPECT_DOUBLE_EQ(overhead.doubt_ms, 0.3 - 0.1);
    const Samples samples = net(walls, overhead);
    EXPECT_EQ(samples, (Samples{{k_candidate, {0.9, 0.9, 0.9}}, {"eager", {3.9, 3.9, 3.9}}}));
}

TEST(Samples, OnAGpuTheEmptyCallIsTakenOffButForItsKernel) {
    const Samples walls = {
        {k_nothing, {0.5, 0.5, 0.5}}, {k_echo, {0.3, 0.3, 9}}, {k_candidate, {0.6, 0.3, 1.4}}};
    const Overhead overhead = overhead_on_gpu(walls, 0.1);
    EXPECT_DOUBLE_EQ(overhead.least_ms, 0.4);
    EXPECT_DOUBLE_EQ(overhead.doubt_ms, 0.4 - 0.3);
    const Samples samples = net(walls, overhead);
    EXPECT_EQ(samples, (Samples{{k_candidate, {0.6 - 0.4, 0.01 * 0.4, 1.4 - 0.4}}}));
    EXPECT_DOUBLE_EQ(overhead_on_gpu({{k_nothing, {0.5}}}, 0.1).doubt_ms, 0);
}

TEST(Samples, WhatTheInterpreterDoesIsNoSpeedup) {
    // An honest call is 0.1 ms of work and 0.2 ms of the interpreter's; the candidate has replaced that.
    const Samples samples = {{k_candidate, std::vector<double>(20, 0.1)},
                             {"eager", std::vector<double>(20, 0.3)}};
    const Interval speedup = speedup_over("eager", samples, {0.1, 0.2, false}, 1);
    EXPECT_NEAR(speedup.low, 1, 1e-9);
    EXPECT_NEAR(speedup.value, 3, 1e-9);
    EXPECT_NEAR(speedup.high, 5, 1e-9);
}

TEST(Samples, WhatTheInterpreterDoesOnAGpuIsNoSpeedupEither) {
    // The work takes 0.3 ms; the candidate has left out 0.2 ms that were taken off as the interpreter's.
    const Samples samples = {{k_candidate, std::vector<double>(20, 0.1)},
                             {"eager", std::vector<double>(20, 0.3)}};
    const Interval speedup = speedup_over("eager", samples, {0.4, 0.2, true}, 1);
    EXPECT_NEAR(speedup.low, 1, 1e-9);
    EXPECT_NEAR(speedup.value, 3, 1e-9);
    EXPECT_NEAR(speedup.high, 5, 1e-9);
}

TEST(Samples, TheClockAndTheEventsOfAGpuMustAgree) {
    const auto device_ms = [](double candidate) {
        return Samples{{k_candidate, std::vector<double>(20, candidate)},
                       {"eager", std::vector<double>(20, 0.3)}};
    };
    const auto compared = [&](const Interval& by_clock, double candidate_ms, double candidate_device_ms) {
        const Samples samples = {{k_candidate, std::vector<double>(20, candidate_ms)}};
        return agreed(by_clock, "eager", samples, device_ms(candidate_device_ms), {0.3, 0.1, true}, 1);
    };
    // A short kernel may seem to have taken no time at all.
    const Interval chance = compared({25, 4, 70}, 0.01, 0.2);
    EXPECT_NEAR(chance.value, 1.5, 1e-9);
    EXPECT_NEAR(chance.low, 1.5, 1e-9);
    EXPECT_NEAR(chance.high, 70, 1e-9);
    // What a candidate's process says can only count against it.
    const Interval lie = compared({1.2, 1.1, 1.3}, 0.25, 0.001);
    EXPECT_NEAR(lie.value, 1.2, 1e-9);
    EXPECT_NEAR(lie.low, 1.1, 1e-9);
    const Interval silence = compared({1.2, 1.1, 1.3}, 0.25, 0);
    EXPECT_NEAR(silence.high, 1.3, 1e-9);
    // A launch that took long by chance says nothing; work that the host does in each call is work.
    EXPECT_NEAR(compared({0.5, 0.4, 0.6}, 0.6, 0.3).high, 1, 1e-9);
    EXPECT_NEAR(compared({0.005, 0.004, 0.006}, 60.0, 0.3).high, 0.006, 1e-9);
}

TEST(Samples, OverABaselineThatBecameSlowNothingIsClaimed) {
    const Interval speedup = allowing_for({100, 90, 110}, 50);
    EXPECT_NEAR(speedup.value, 2, 1e-9);
    EXPECT_NEAR(speedup.low, 1, 1e-9);
    EXPECT_NEAR(speedup.high, 110, 1e-9) << "a busy machine slows down both sides";
    EXPECT_NEAR(allowing_for({2, 1.9, 2.1}, 4).low, 1.9 / 4, 1e-9);
}

}  // namespace
}  // namespace kforge
