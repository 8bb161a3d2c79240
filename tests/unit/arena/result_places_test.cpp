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
    for (uint64_t call = 0; call < 20; ++call) places.note(at((10 + call % 3) * k_bytes));
    EXPECT_EQ(places.calls(), 20u);
    EXPECT_EQ(places.fresh(), 3u);
    EXPECT_FALSE(places.are_mostly_new());
}

TEST(ResultPlaces, WhatOverlapsIsNotNew) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at(10 * k_bytes + call * k_bytes / 2));
    EXPECT_EQ(places.fresh(), 1u);
    places.note(at(10 * k_bytes - 4));
    EXPECT_EQ(places.fresh(), 1u);
    places.note(at(9 * k_bytes - 8));
    EXPECT_EQ(places.fresh(), 2u);
}

TEST(ResultPlaces, MemoryThatWasSetAsideIsNewEachTime) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 7; ++call) places.note(at((100 - call) * k_bytes));
    EXPECT_FALSE(places.are_mostly_new()) << "too few calls to tell";
    places.note(at(10 * k_bytes));
    EXPECT_TRUE(places.are_mostly_new());
}

TEST(ResultPlaces, WhatIsReadByAHandleLiesWhereThatLeads) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 8; ++call)
        places.note({OutputForm{"float32", {k_bytes / 4}, {1}, 0, "one", call * k_bytes}});
    EXPECT_TRUE(places.are_mostly_new()) << "though all are said to have the same address";
    const OutputForm form{"float32", {k_bytes / 4}, {1}, 0, "one", 0};
    const OutputForm elsewhere{"float32", {k_bytes / 4}, {1}, 8 * k_bytes, "one", k_bytes / 2};
    const OutputForm apart{"float32", {k_bytes / 4}, {1}, 8 * k_bytes, "other", k_bytes / 2};
    EXPECT_TRUE(form.overlaps(elsewhere));
    EXPECT_FALSE(form.overlaps(apart));
}

TEST(ResultPlaces, SmallResultsLieAnywhere) {
    ResultPlaces places;
    for (uint64_t call = 0; call < 20; ++call) places.note(at(call * k_bytes, 1000));
    EXPECT_EQ(places.calls(), 0u);
    EXPECT_FALSE(places.are_mostly_new());
}

}  // namespace
}  // namespace kforge
