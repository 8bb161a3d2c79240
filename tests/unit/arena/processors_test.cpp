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

TEST(Processors, ThreadsArePlacedAndLetGoAgain) {
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
    place(child->pid(), Placement::apart, two);
    EXPECT_EQ(count(), 1);
    place(child->pid(), Placement::loose, two);
    EXPECT_EQ(count(), 2);
    place(child->pid(), Placement::together, two);
    EXPECT_EQ(count(), 1);
    place(child->pid(), Placement::loose, two);
    place(child->pid(), Placement::apart, {two[0]});  // nothing to choose from
    EXPECT_EQ(count(), 2);
}

TEST(Processors, ThreadsStayApartUnlessElsewhereTheyAreClearlyFaster) {
    using enum Placement;
    const auto best = [](double apart_ms, double together_ms, double loose_ms) {
        return best_placement({{apart, {apart_ms}}, {together, {together_ms}}, {loose, {loose_ms}}});
    };
    EXPECT_EQ(best(10, 9, 9), apart);
    EXPECT_EQ(best(10, 7, 9), together);
    EXPECT_EQ(best(10, 7, 6), loose);
    EXPECT_EQ(best(10, 6, 7), together);
    EXPECT_EQ(best(10, 30, 5), loose);
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
