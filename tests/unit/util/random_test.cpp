#include "kforge/util/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kforge {
namespace {

TEST(SeedSource, RepeatsItselfForTheSameTextOnly) {
    SeedSource one("42"), again("42"), other("43");
    for (int i = 0; i < 10; ++i) {
        const uint64_t seed = one.next();
        EXPECT_EQ(seed, again.next());
        EXPECT_NE(seed, other.next());
    }
}

TEST(SeedSource, IsUnguessableWithoutAText) {
    SeedSource one(""), two("");
    std::set<uint64_t> seeds;
    for (int i = 0; i < 100; ++i) {
        seeds.insert(one.next());
        seeds.insert(two.next());
    }
    EXPECT_EQ(seeds.size(), 200u);
    EXPECT_LT(*seeds.rbegin(), uint64_t{1} << 62);
}

TEST(Lots, RepeatThemselvesForTheSameSeedOnly) {
    Lots one(42), again(42), other(43);
    std::set<uint64_t> drawn;
    for (int i = 0; i < 100; ++i) {
        const uint64_t lot = one();
        EXPECT_EQ(lot, again());
        drawn.insert(lot);
        drawn.insert(other());
    }
    EXPECT_EQ(drawn.size(), 200u);
}

}  // namespace
}  // namespace kforge
