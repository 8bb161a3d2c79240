#include "kforge/forge/estimate.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

Llm priced(const char* name, double input, double output) {
    Llm llm;
    llm.name = name;
    llm.usd_per_million_input = input;
    llm.usd_per_million_output = output;
    return llm;
}

TEST(EstimateOfARun, CountsBothAgentsByTheirOwnPrices) {
    RunConfig config;
    config.iterations = 5;
    const Llm writer = priced("writer", 2, 10);
    const Estimate with_reader = estimate_run(config, writer, priced("reader", 0, 0), 20'000);
    EXPECT_EQ(with_reader.calls, 9) << "five tries, advice for four of them";
    EXPECT_GT(*estimate_run(config, writer, writer, 20'000).usd, *with_reader.usd);
    EXPECT_GT(*with_reader.worst_usd, *with_reader.usd);
    EXPECT_GT(with_reader.worst_tokens, with_reader.tokens);
}

TEST(EstimateOfARun, SamplesNeedNoAdvice) {
    RunConfig config;
    config.strategy = "sample";
    config.samples = 3;
    Llm reader;
    reader.name = "a reader without prices";
    const Estimate estimate = estimate_run(config, priced("writer", 2, 10), reader, 20'000);
    EXPECT_EQ(estimate.calls, 3);
    EXPECT_TRUE(estimate.usd) << "who is not asked needs no price";
}

TEST(EstimateOfARun, IsWithinTheCapsAndUnknownWithoutPrices) {
    RunConfig config;
    Llm unpriced;
    EXPECT_FALSE(estimate_run(config, unpriced, unpriced, 1000).usd);
    EXPECT_FALSE(estimate_run(config, unpriced, unpriced, 1000).worst_usd);
    config.budget_usd = 0.01;
    config.budget_tokens = 1000;
    config.budget_calls = 2;
    const Llm writer = priced("writer", 2, 10);
    const Estimate estimate = estimate_run(config, writer, writer, 20'000);
    EXPECT_EQ(estimate.calls, 2);
    EXPECT_EQ(estimate.worst_tokens, 1000);
    EXPECT_LE(estimate.tokens, 1000);
    EXPECT_DOUBLE_EQ(*estimate.worst_usd, 0.01);
    EXPECT_LE(*estimate.usd, 0.01);
}

}  // namespace
}  // namespace kforge
