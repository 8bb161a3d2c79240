#include "kforge/arena/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <thread>

#include "kforge/util/process.hpp"

namespace kforge {
namespace {

TEST(Processors, AsManyAsThereAreThreads) {
    const std::vector<int> all = choose_processors(4096);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(choose_processors(1).size(), 1u);
    EXPECT_EQ(choose_processors(0).size(), 1u);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
}

TEST(Processors, AProcessIsConfined) {
    ChildSpec spec;
    spec.argv = {"sleep", "30"};
    spec.environment = inherit_environment({"PATH"});
    const Result<Child> child = Child::start(spec);
    ASSERT_TRUE(child.ok());
    const std::vector<int> one = choose_processors(1);
    ASSERT_TRUE(confine(child->pid(), one));
    cpu_set_t set;
    CPU_ZERO(&set);
    ASSERT_EQ(::sched_getaffinity(child->pid(), sizeof set, &set), 0);
    EXPECT_EQ(CPU_COUNT(&set), 1);
    EXPECT_TRUE(CPU_ISSET(one[0], &set));
    EXPECT_FALSE(confine(child->pid(), {}));
}

TEST(Processors, ThreadsArePinnedAndLetGoAgain) {
    const std::vector<int> two = choose_processors(2);
    if (two.size() < 2) GTEST_SKIP() << "one processor";
    ChildSpec spec;
    spec.argv = {"sleep", "30"};
    spec.environment = inherit_environment({"PATH"});
    const Result<Child> child = Child::start(spec);
    ASSERT_TRUE(child.ok());
    const auto count = [&] {
        cpu_set_t set;
        CPU_ZERO(&set);
        EXPECT_EQ(::sched_getaffinity(child->pid(), sizeof set, &set), 0);
        return CPU_COUNT(&set);
    };
    pin_threads(child->pid(), two);
    EXPECT_EQ(count(), 1);
    ASSERT_TRUE(confine(child->pid(), two));
    EXPECT_EQ(count(), 2);
    pin_threads(child->pid(), {two[0]});  // nothing to choose from
    EXPECT_EQ(count(), 2);
}

TEST(Processors, OwnWorkIsNotOtherLoad) {
    // This process counts as another's when something else is named as our own.
    const OtherLoad own(::getpid());
    const OtherLoad others(1 << 30);
    const auto start = std::chrono::steady_clock::now();
    volatile double sum = 0;
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(300)) sum = sum + 1;
    EXPECT_GE(own.processors(), 0);
    EXPECT_GT(others.processors(), own.processors());
}

TEST(Processors, SweepingTouchesNothingElse) {
    CacheSweep sweep(choose_processors(2));
    sweep.run();
    sweep.run();
    EXPECT_GT(most_bytes_per_ms(2), most_bytes_per_ms(1));
}

}  // namespace
}  // namespace kforge
