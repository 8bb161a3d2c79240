#include "kforge/arena/result_places.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

constexpr uint64_t k_bytes = 1 << 20;

std::vector<OutputForm> at(uint64_t address, int64_t elements = k_bytes / 4) {
    return {OutputForm{"float32", {elements}, {1}, address}};
}

TEST(ResultPlaces, AnAllocatorHandsTheSameMemoryOutAgain) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at((10 + call % 3) * k_bytes), true);
    EXPECT_FALSE(places.find_mostly_new());
}

TEST(ResultPlaces, OfEachCallItTellsWhetherItsPlaceIsNew) {
    ResultPlaces places;
    EXPECT_TRUE(places.note(at(10 * k_bytes), false));
    EXPECT_TRUE(places.note(at(11 * k_bytes), true));
    EXPECT_FALSE(places.note(at(10 * k_bytes), true));
}

TEST(ResultPlaces, WhatOverlapsByHalfIsNotNew) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at(10 * k_bytes + call * k_bytes / 2), true);
    EXPECT_FALSE(places.find_mostly_new());
}

TEST(ResultPlaces, WhatOverlapsByLessIs) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at(100 * k_bytes - call * (k_bytes - 64)), true);
    EXPECT_TRUE(places.find_mostly_new());
    for (uint64_t call = 0; call < 40; ++call) places.note(at(90 * k_bytes + call * 64), true);
    EXPECT_FALSE(places.find_mostly_new()) << "all of these have been there";
}

TEST(ResultPlaces, ManySmallResultsAreALargeOne) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) {
        std::vector<OutputForm> outputs;
        for (uint64_t i = 0; i < 256; ++i) outputs.push_back(at((1000 * call + i) * k_bytes, 15000).front());
        places.note(outputs, true);
    }
    EXPECT_TRUE(places.find_mostly_new());
}

TEST(ResultPlaces, MemoryThatWasSetAsideIsNewEachTime) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 11; ++call) places.note(at((100 - call) * k_bytes), call >= 4);
    EXPECT_FALSE(places.find_mostly_new()) << "too few calls to tell";
    places.note(at(10 * k_bytes), true);
    ASSERT_TRUE(places.find_mostly_new());
    EXPECT_EQ(places.find_mostly_new()->calls, 8u) << "without the first";
    EXPECT_EQ(places.find_mostly_new()->fresh, 8u);
}

TEST(ResultPlaces, FirstCallsSayNothing) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at((100 + call) * k_bytes), call < 3);
    EXPECT_FALSE(places.find_mostly_new());
}

TEST(ResultPlaces, EveryOutputIsLookedAt) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) {
        std::vector<OutputForm> outputs = at(10 * k_bytes);
        outputs.push_back(at((100 + call) * k_bytes, k_bytes / 8).front());
        places.note(outputs, true);
    }
    EXPECT_TRUE(places.find_mostly_new());
}

TEST(ResultPlaces, WhatIsReadByAHandleLiesWhereThatLeads) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 12; ++call)
        places.note({OutputForm{"float32", {k_bytes / 4}, {1}, 0, "one", call * k_bytes}}, true);
    EXPECT_TRUE(places.find_mostly_new()) << "though all are said to have the same address";
    const OutputForm form{"float32", {k_bytes / 4}, {1}, 0, "one", 0};
    const OutputForm elsewhere{"float32", {k_bytes / 4}, {1}, 8 * k_bytes, "one", k_bytes / 2};
    const OutputForm apart{"float32", {k_bytes / 4}, {1}, 8 * k_bytes, "other", k_bytes / 2};
    EXPECT_TRUE(form.overlaps(elsewhere));
    EXPECT_FALSE(form.overlaps(apart));
}

TEST(ResultPlaces, WhatWasCountedIsForgottenWhereResultsLayIsNot) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 10; ++call) places.note(at(call * k_bytes), true);
    EXPECT_TRUE(places.find_mostly_new());
    places.begin_to_count();
    EXPECT_FALSE(places.find_mostly_new());
    for (uint64_t call = 0; call < 10; ++call) places.note(at(call * k_bytes), true);
    EXPECT_FALSE(places.find_mostly_new()) << "an allocator that wanders, and comes back";
}

TEST(ResultPlaces, SmallResultsLieAnywhere) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at(call * k_bytes, 1000), true);
    EXPECT_FALSE(places.find_mostly_new());
}

}  // namespace
}  // namespace kforge
