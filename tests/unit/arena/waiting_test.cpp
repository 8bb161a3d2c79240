#include "kforge/arena/waiting.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "kforge/arena/processors.hpp"

namespace kforge {
namespace {

TEST(Waiting, ThreadsThatShareAProcessorWaitForEachOther) {
    const std::vector<int> one = choose_processors(1);
    ASSERT_EQ(one.size(), 1u);
    const Waiting waiting(::getpid());
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::atomic<bool> waited = false;
    const auto work = [&] {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(one.front(), &set);
        ::sched_setaffinity(0, sizeof set, &set);
        while (!waited && std::chrono::steady_clock::now() < limit) waited = waiting.ms() > 1;
    };
    std::jthread first(work), second(work);
    first.join();
    second.join();
    EXPECT_TRUE(waited);
}

TEST(Waiting, WhoHasHadItsProcessorsHasNotWaitedForOthers) {
    EXPECT_EQ(for_others_ms(1, 4, 4), 0);    // two threads that took turns on one of them
    EXPECT_EQ(for_others_ms(1, 4, 4.1), 0);  // what is used until it stands still counts as well
    EXPECT_EQ(for_others_ms(3, 4, 2), 2);
    EXPECT_EQ(for_others_ms(1, 4, 2), 1);
}

TEST(Waiting, AProcessThatIsGoneDoesNotWait) {
    EXPECT_EQ(Waiting(1 << 30).ms(), 0);
}

}  // namespace
}  // namespace kforge
