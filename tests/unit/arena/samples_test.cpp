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

TEST(Samples, WithoutBaselinesThereIsNothingToWaitFor) {
    const Samples alone = {{"candidate", {1, 1, 1}}};
    EXPECT_EQ(fastest(alone, is_any), "");
    EXPECT_TRUE(timed_enough(alone, 1));
}

TEST(Samples, OnlyWhatIsClearlySlowerIsRetired) {
    const std::vector<double> slow(10, 4.0), quick(10, 3.0), nearly(10, 3.1), candidate(10, 1.0);
    const Samples samples = {
        {"candidate", candidate}, {"eager", slow}, {"compile", quick}, {"other", nearly}};
    std::vector<std::string> sides = {"candidate", "eager", "compile", "other"};
    retire_hopeless(samples, sides, 1);
    EXPECT_EQ(sides, (std::vector<std::string>{"candidate", "compile", "other"}));
}

}  // namespace
}  // namespace kforge
