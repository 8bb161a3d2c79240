#include "llm_test.hpp"

namespace kforge {
namespace {

class LlmReplay : public LlmTest {
  protected:
    Result<LlmOutcome> ask(const LlmRequest& request) {
        Llm llm{.name = "replay", .provider = "replay", .directory = folder()};
        llm.usd_per_million_input = m_usd_per_million;
        return make_provider("replay").value()->complete(llm, request, {});
    }
    double m_usd_per_million = 0;
};

TEST_F(LlmReplay, AnswersByIterationAndAgent) {
    write("iterations/01/response.md", "first");
    write("iterations/12/response.md", "twelfth");
    write("iterations/12/analysis/response.md", "advice");
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(1))).text, "first");
    EXPECT_EQ(expect<LlmAnswer>(ask(generation(12))).text, "twelfth");
    EXPECT_EQ(expect<LlmAnswer>(ask(analysis(12))).text, "advice");
}

TEST_F(LlmReplay, IterationWithoutAnswerIsAnEmptyFailureThatNamesIt) {
    write("iterations/01/response.md", "first");
    for (const LlmRequest& request : {generation(2), analysis(1)}) {
        const auto failure = expect<LlmFailure>(ask(request));
        EXPECT_EQ(failure.reason, "empty");
        EXPECT_NE(failure.message.find("iteration " + std::to_string(request.iteration)), std::string::npos);
        EXPECT_NE(failure.message.find(request.agent), std::string::npos);
    }
}

TEST_F(LlmReplay, BlankRecordedAnswerIsAnEmptyFailure) {
    write("iterations/01/response.md", "\n");
    EXPECT_EQ(expect<LlmFailure>(ask(generation(1))).reason, "empty");
}

TEST_F(LlmReplay, UsageIsEstimatedWhenNotRecorded) {
    write("iterations/01/response.md", "12345678");
    const Usage usage = expect<LlmAnswer>(ask(generation(1))).usage;
    EXPECT_TRUE(usage.estimated);
    EXPECT_EQ(usage.output_tokens, 2);
}

TEST_F(LlmReplay, ResponseJsonWithoutUsageLeavesTheEstimate) {
    write("iterations/01/response.md", "12345678");
    write("iterations/01/response.json", R"({"text": "12345678", "truncated": true})");
    const auto answer = expect<LlmAnswer>(ask(generation(1)));
    EXPECT_TRUE(answer.truncated);
    EXPECT_TRUE(answer.usage.estimated);
    EXPECT_EQ(answer.usage.output_tokens, 2);
}

TEST_F(LlmReplay, RecordedFactsAreTakenAndPricedByThisEntry) {
    write("iterations/01/response.md", "answer");
    write("iterations/01/response.json",
          R"({"text": "ignored", "reasoning": "hm", "truncated": true, "request_id": "r1",
              "usage": {"input_tokens": 1000000, "output_tokens": 7, "usd": 99}})");
    const auto answer = expect<LlmAnswer>(ask(generation(1)));
    EXPECT_EQ(answer.text, "answer");
    EXPECT_EQ(answer.reasoning, "hm");
    EXPECT_TRUE(answer.truncated);
    EXPECT_EQ(answer.request_id, "r1");
    EXPECT_FALSE(answer.usage.estimated);
    EXPECT_EQ(answer.usage.input_tokens, 1'000'000);
    EXPECT_EQ(answer.usage.output_tokens, 7);
    EXPECT_DOUBLE_EQ(answer.usage.usd, 0);
    m_usd_per_million = 3;
    EXPECT_DOUBLE_EQ(expect<LlmAnswer>(ask(generation(1))).usage.usd, 3);
}

TEST_F(LlmReplay, DamagedResponseJsonIsAConfigErrorThatNamesTheFile) {
    write("iterations/01/response.md", "answer");
    for (const char* damaged : {"{\"text\": ", "[]"}) {
        write("iterations/01/response.json", damaged);
        const Error error = expect_error(ask(generation(1)));
        EXPECT_EQ(error.kind, ErrorKind::config);
        EXPECT_NE(error.message.find("01/response.json"), std::string::npos);
    }
}

TEST_F(LlmReplay, FolderThatIsNoRecordingIsAConfigError) {
    const Error error = expect_error(ask(generation(1)));
    EXPECT_EQ(error.kind, ErrorKind::config);
    EXPECT_NE(error.message.find(folder().string()), std::string::npos);
}

}  // namespace
}  // namespace kforge
