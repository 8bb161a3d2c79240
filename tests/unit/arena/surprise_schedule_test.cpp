#include "kforge/arena/surprise_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kforge {
namespace {

TEST(SurpriseSchedule, EachComesOnceInTheFirstRoundsThenOnceInMore) {
    SurpriseSchedule schedule(5, 7, 1);
    int round = 0;
    for (const int end : {7, 24, 66}) {
        std::multiset<size_t> seen;
        for (; round < end; ++round)
            for (const size_t number : schedule.before(round)) seen.insert(number);
        EXPECT_EQ(seen, (std::multiset<size_t>{0, 1, 2, 3, 4})) << end;
    }
}

TEST(SurpriseSchedule, NobodyKnowsWhen) {
    std::set<int> rounds;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        SurpriseSchedule schedule(1, 7, seed);
        for (int round = 0; round < 7; ++round)
            if (!schedule.before(round).empty()) rounds.insert(round);
    }
    EXPECT_EQ(rounds.size(), 7u);
}

TEST(SurpriseSchedule, OfSeveralInARoundAnyMayBeTheFirst) {
    std::set<size_t> first;
    for (uint64_t seed = 0; seed < 50; ++seed) first.insert(SurpriseSchedule(3, 1, seed).before(0).front());
    EXPECT_EQ(first.size(), 3u);
}

TEST(SurpriseSchedule, ThereMayBeNone) {
    SurpriseSchedule schedule(0, 7, 1);
    EXPECT_TRUE(schedule.before(0).empty());
}

}  // namespace
}  // namespace kforge
