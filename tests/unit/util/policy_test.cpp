#include "kforge/util/policy.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

TEST(Policies, EveryWordComesBackAsItself) {
    for (const char* word : {"strict", "accurate", "mixed"})
        EXPECT_EQ(to_string(*parse_precision(word)), word);
    for (const char* word : {"frozen", "live"}) EXPECT_EQ(to_string(*parse_weights(word)), word);
    EXPECT_EQ(to_string(Kernels::required), "required");
    for (const char* word : {"as_is", "eval"}) EXPECT_EQ(to_string(*parse_mode(word)), word);
}

TEST(Policies, DefaultToTheFirstWords) {
    const Policies policies;
    EXPECT_EQ(to_string(policies.precision), "strict");
    EXPECT_EQ(to_string(policies.weights), "frozen");
    EXPECT_EQ(to_string(policies.kernels), "any");
    EXPECT_EQ(to_string(policies.mode), "as_is");
}

TEST(Policies, AnUnknownWordListsTheRightOnes) {
    const auto precision = parse_precision("sloppy");
    ASSERT_FALSE(precision.ok());
    EXPECT_EQ(precision.error().kind, ErrorKind::usage);
    EXPECT_NE(precision.error().message.find("'sloppy'"), std::string::npos);
    EXPECT_NE(precision.error().message.find("strict, accurate, mixed"), std::string::npos);
    EXPECT_FALSE(parse_weights("").ok());
    EXPECT_FALSE(parse_mode("train").ok());
}

}  // namespace
}  // namespace kforge
