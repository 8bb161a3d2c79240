#include "kforge/agents/recommendation.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

const std::string k_good = "Fuse the bias into the GEMM tail\n\nThe profile shows two passes. Do one.";

void expect_recommendation(const std::string& answer, const std::string& expected) {
    const auto found = extract_recommendation(answer);
    ASSERT_TRUE(found.has_value()) << answer;
    EXPECT_EQ(*found, expected);
}

TEST(Recommendation, TheAskedFormIsKeptAsItIs) {
    expect_recommendation(k_good, k_good);
    expect_recommendation("\r\n" + k_good + "\r\n\n", k_good);
}

TEST(Recommendation, GreetingsHeadingsAndEmphasisAreRemoved) {
    expect_recommendation("Here is my recommendation:\n\n" + k_good, k_good);
    expect_recommendation("Sure!\n\n## Recommendation\n\n" + k_good, k_good);
    expect_recommendation("# Fuse the bias into the GEMM tail\n\nThe profile shows two passes. Do one.",
                          k_good);
    expect_recommendation("**Fuse the bias into the GEMM tail**\n\nThe profile shows two passes. Do one.",
                          k_good);
    expect_recommendation(
        "**Recommendation:** Fuse the bias into the GEMM tail\n\nThe profile shows two passes. Do one.",
        k_good);
    expect_recommendation("Title: Fuse the bias into the GEMM tail\n\nThe profile shows two passes. Do one.",
                          k_good);
}

TEST(Recommendation, AFenceAroundAllOfItIsRemoved) {
    expect_recommendation("```\n" + k_good + "\n```", k_good);
    expect_recommendation("```markdown\n" + k_good + "\n```\n", k_good);
}

TEST(Recommendation, OfSeveralOnlyTheFirstIsKept) {
    expect_recommendation(
        "Here are my top 3 recommendations:\n\n1. **Fuse the tail**\n   It reads twice.\n2. Vectorise\n3. "
        "Unroll\n",
        "Fuse the tail\n   It reads twice.");
    expect_recommendation("### 1. Fuse the tail\n\nIt reads twice.\n\n### 2. Vectorise\n\nUse AVX.\n",
                          "Fuse the tail\n\nIt reads twice.");
    expect_recommendation(
        "**Recommendation 1:** Fuse the tail\nIt reads twice.\n**Recommendation 2:** Vectorise\n",
        "Fuse the tail\nIt reads twice.");
    expect_recommendation("**1. Fuse the tail**\nIt reads twice.\n**2. Vectorise**\n",
                          "Fuse the tail\nIt reads twice.");
    expect_recommendation("- Fuse the tail\n- Vectorise\n", "Fuse the tail");
    expect_recommendation(k_good + "\n\n## Other recommendations\n\nUnroll too.", k_good);
    expect_recommendation(k_good + "\n\nAlternatively, unroll.", k_good);
}

TEST(Recommendation, StepsBehindATitleBelongToIt) {
    const std::string steps = "Fuse the tail\n\nDo this:\n1. Load once.\n2. Apply all three operations.";
    expect_recommendation(steps, steps);
}

TEST(Recommendation, ALongOneEndsAtASentence) {
    std::string answer = "Fuse the tail\n\n";
    for (int i = 0; i < 200; ++i) answer += "The loop reads the product twice. ";
    const auto found = extract_recommendation(answer);
    ASSERT_TRUE(found.has_value());
    EXPECT_LE(found->size(), 2000u);
    EXPECT_TRUE(found->ends_with("twice."));
}

TEST(Recommendation, ThereMayBeNone) {
    EXPECT_FALSE(extract_recommendation(""));
    EXPECT_FALSE(extract_recommendation("  \n\n"));
    EXPECT_FALSE(extract_recommendation("## Recommendation\n\n"));
    EXPECT_FALSE(extract_recommendation("None."));
    EXPECT_FALSE(extract_recommendation("<think>the profile"));
}

}  // namespace
}  // namespace kforge
