#include "kforge/llm/answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

const LlmRequest k_request{.agent = "generation", .iteration = 1, .system = "12345678", .prompt = "1234"};

TEST(LlmAnswers, EstimatesFourBytesATokenRoundedUp) {
    EXPECT_EQ(estimate_tokens(""), 0);
    EXPECT_EQ(estimate_tokens("abcd"), 1);
    EXPECT_EQ(estimate_tokens("abcde"), 2);
}

TEST(LlmAnswers, PlainAnswerIsEstimatedAndPriced) {
    Llm llm;
    llm.usd_per_million_input = 1'000'000;
    llm.usd_per_million_output = 10'000'000;
    const auto answer = std::get<LlmAnswer>(plain_answer(llm, k_request, "abcdefgh", ""));
    EXPECT_TRUE(answer.usage.estimated);
    EXPECT_EQ(answer.usage.input_tokens, 3);
    EXPECT_EQ(answer.usage.output_tokens, 2);
    EXPECT_DOUBLE_EQ(answer.usage.usd, 3 * 1 + 2 * 10);
    EXPECT_FALSE(answer.truncated);
}

TEST(LlmAnswers, CachedTokensCostWhatTheEntrySaysOrAsInput) {
    Llm llm;
    llm.usd_per_million_input = 4;
    llm.usd_per_million_output = 20;
    const Usage usage{.input_tokens = 1'000'000,
                      .cached_input_tokens = 500'000,
                      .cache_write_tokens = 250'000,
                      .output_tokens = 100'000};
    EXPECT_DOUBLE_EQ(cost_usd(llm, usage), 4 + 2);
    llm.usd_per_million_cached_input = 0.2;
    llm.usd_per_million_cache_write = 5;
    EXPECT_DOUBLE_EQ(cost_usd(llm, usage), 1 + 0.1 + 1.25 + 2);
}

TEST(LlmAnswers, APriceOfZeroIsKnownAndNoneIsNot) {
    Llm llm;
    EXPECT_FALSE(has_prices(llm));
    llm.usd_per_million_input = 0;
    EXPECT_FALSE(has_prices(llm));
    llm.usd_per_million_output = 0;
    EXPECT_TRUE(has_prices(llm));
    EXPECT_EQ(cost_usd(llm, {.input_tokens = 1'000'000}), 0);
}

TEST(LlmAnswers, BlankBytesAreAnEmptyFailureThatStillCostItsInput) {
    Llm llm;
    llm.usd_per_million_input = 1'000'000;
    for (const char* blank : {"", " \r\n\t", "\xEF\xBB\xBF", "\x1b[0m\n"}) {
        const auto failure = std::get<LlmFailure>(plain_answer(llm, k_request, blank, "nothing came"));
        EXPECT_EQ(failure.reason, "empty");
        EXPECT_EQ(failure.message, "nothing came");
        EXPECT_DOUBLE_EQ(failure.usage.usd, 3);
    }
}

TEST(LlmAnswers, TextIsCleanUtf8WithPlainLineEnds) {
    const auto answer = std::get<LlmAnswer>(plain_answer({}, k_request,
                                                         "\xEF\xBB\xBF"
                                                         "a\r\nb\xFF\tc\x1b[1md\n",
                                                         ""));
    EXPECT_EQ(answer.text, "a\nb\xEF\xBF\xBD\tcd\n");
}

TEST(LlmAnswers, JsonKeepsEverything) {
    LlmAnswer answer{.text = "t", .reasoning = "r", .truncated = true, .request_id = "id"};
    answer.usage = {.input_tokens = 1,
                    .cached_input_tokens = 2,
                    .cache_write_tokens = 3,
                    .output_tokens = 4,
                    .reasoning_tokens = 5,
                    .estimated = true,
                    .usd = 0.25};
    const LlmAnswer back = answer_from_json(to_json(answer)).value();
    EXPECT_EQ(to_json(back), to_json(answer));
    EXPECT_EQ(back.text, "t");
    EXPECT_EQ(back.reasoning, "r");
    EXPECT_TRUE(back.truncated);
    EXPECT_EQ(back.request_id, "id");
    EXPECT_EQ(back.usage.input_tokens, 1);
    EXPECT_EQ(back.usage.cached_input_tokens, 2);
    EXPECT_EQ(back.usage.cache_write_tokens, 3);
    EXPECT_EQ(back.usage.output_tokens, 4);
    EXPECT_EQ(back.usage.reasoning_tokens, 5);
    EXPECT_TRUE(back.usage.estimated);
    EXPECT_DOUBLE_EQ(back.usage.usd, 0.25);
}

TEST(LlmAnswers, JsonWithTextAloneIsEnough) {
    const LlmAnswer answer = answer_from_json(nlohmann::json{{"text", "t"}}).value();
    EXPECT_EQ(answer.text, "t");
    EXPECT_TRUE(answer.usage.estimated);
}

TEST(LlmAnswers, JsonOfAnotherFormIsAParseError) {
    for (const char* text : {"[]", "3", "{}", R"({"text": 1})", R"({"text": "t", "usage": 3})",
                             R"({"text": "t", "usage": {"input_tokens": "many"}})"}) {
        const auto answer = answer_from_json(nlohmann::json::parse(text));
        ASSERT_FALSE(answer.ok()) << text;
        EXPECT_EQ(answer.error().kind, ErrorKind::parse);
    }
}

}  // namespace
}  // namespace kforge
