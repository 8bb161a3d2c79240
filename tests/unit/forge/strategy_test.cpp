#include "kforge/forge/strategy.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

RunConfig config_of(const std::string& strategy, int iterations, int samples) {
    RunConfig config;
    config.strategy = strategy;
    config.iterations = iterations;
    config.samples = samples;
    return config;
}

// One letter per iteration: a digit is a correct candidate of that rank, w a wrong one, - an answer without
// one.
std::vector<Attempt> attempts(const std::string& letters) {
    std::vector<Attempt> result;
    for (const char letter : letters) {
        Attempt attempt;
        attempt.iteration = static_cast<int>(result.size()) + 1;
        attempt.correct = letter >= '0' && letter <= '9';
        attempt.has_candidate = letter != '-';
        attempt.rank = attempt.correct ? letter - '0' : 0;
        result.push_back(attempt);
    }
    return result;
}

std::string next(const RunConfig& config, const std::string& letters) {
    const Pass pass = Strategy(config).next(attempts(letters));
    return std::string(to_string(pass.kind)) + " " + std::to_string(pass.base);
}

TEST(Strategy, CountsItsIterations) {
    EXPECT_EQ(Strategy(config_of("single", 7, 1)).total(), 1);
    EXPECT_EQ(Strategy(config_of("sample", 7, 3)).total(), 3);
    EXPECT_EQ(Strategy(config_of("sample", 7, 3)).independent(), 3);
    EXPECT_EQ(Strategy(config_of("refine", 5, 1)).total(), 5);
    EXPECT_EQ(Strategy(config_of("refine", 5, 1)).independent(), 1);
    EXPECT_EQ(Strategy(config_of("refine", 5, 3)).total(), 7);
    EXPECT_EQ(Strategy(config_of("refine", 5, 3)).independent(), 3);
}

TEST(Strategy, SamplesKnowNothingOfEachOther) {
    for (const char* earlier : {"", "w", "5", "5w", "--"})
        EXPECT_EQ(next(config_of("sample", 1, 3), earlier), "first 0");
}

TEST(Strategy, RefinementRepairsTheLatestCandidateUntilOneIsCorrect) {
    const RunConfig refine = config_of("refine", 9, 1);
    EXPECT_EQ(next(refine, ""), "first 0");
    EXPECT_EQ(next(refine, "w"), "functional 1");
    EXPECT_EQ(next(refine, "www"), "functional 3");
    EXPECT_EQ(next(refine, "ww-"), "functional 2");
    EXPECT_EQ(next(refine, "wwwwwww"), "functional 7");
}

TEST(Strategy, AnAnswerWithoutACandidateIsToldSo) {
    EXPECT_EQ(next(config_of("refine", 9, 1), "-"), "functional 1");
    EXPECT_EQ(next(config_of("refine", 9, 1), "--"), "functional 2");
}

TEST(Strategy, OptimizationStartsFromTheBestSoFar) {
    const RunConfig refine = config_of("refine", 9, 1);
    EXPECT_EQ(next(refine, "w2"), "optimization 2");
    EXPECT_EQ(next(refine, "24"), "optimization 2");
}

TEST(Strategy, ARegressionGoesBackToTheBest) {
    const RunConfig refine = config_of("refine", 9, 1);
    EXPECT_EQ(next(refine, "42"), "optimization 1");
    EXPECT_EQ(next(refine, "4213"), "optimization 1");
    EXPECT_EQ(next(refine, "425"), "optimization 3");
    EXPECT_EQ(next(refine, "44"), "optimization 1") << "of equals the earlier one";
}

TEST(Strategy, ABrokenOptimizationIsRepairedTwiceAtMost) {
    const RunConfig refine = config_of("refine", 9, 1);
    EXPECT_EQ(next(refine, "4w"), "functional 2");
    EXPECT_EQ(next(refine, "4ww"), "functional 3");
    EXPECT_EQ(next(refine, "4www"), "optimization 1");
    EXPECT_EQ(next(refine, "4www3w"), "functional 6") << "the count begins anew";
    EXPECT_EQ(next(refine, "4-"), "optimization 1") << "there is nothing to repair";
}

TEST(Strategy, AfterSamplingTheBestIsRefined) {
    const RunConfig both = config_of("refine", 4, 3);
    EXPECT_EQ(next(both, "ww"), "first 0");
    EXPECT_EQ(next(both, "5ww"), "optimization 1");
    EXPECT_EQ(next(both, "w35"), "optimization 3");
    EXPECT_EQ(next(both, "www"), "functional 3");
}

TEST(Strategy, SamplesThatFailedDoNotUseUpTheRepairs) {
    const RunConfig both = config_of("refine", 9, 3);
    EXPECT_EQ(next(both, "5www"), "functional 4");
    EXPECT_EQ(next(both, "5wwww"), "functional 5");
    EXPECT_EQ(next(both, "5wwwww"), "optimization 1");
}

TEST(BestOf, IsTheHighestRankAmongCorrectOnes) {
    EXPECT_FALSE(best_of(attempts("")));
    EXPECT_FALSE(best_of(attempts("w-w")));
    EXPECT_EQ(best_of(attempts("w153"))->iteration, 3);
    EXPECT_EQ(best_of(attempts("0"))->iteration, 1) << "without a baseline the rank is zero";
}

}  // namespace
}  // namespace kforge
