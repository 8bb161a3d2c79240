#include "kforge/llm/api_error.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kforge {
namespace {

using nlohmann::json;

ApiError read(const char* text) {
    return read_api_error(json::parse(text)).value_or(ApiError{.message = "nothing was read"});
}

TEST(ApiErrors, AreReadInEveryForm) {
    EXPECT_EQ(read(R"({"error": {"message": "m", "param": "p", "code": "c", "type": "t"}})").parameter, "p");
    EXPECT_EQ(read(R"({"type": "error", "error": {"type": "overloaded_error", "message": "m"}})").type,
              "overloaded_error");
    EXPECT_EQ(read(R"([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "m"}}])").type,
              "RESOURCE_EXHAUSTED");
    EXPECT_EQ(read(R"({"error": "plain words"})").message, "plain words");
    EXPECT_EQ(read(R"({"detail": "not found"})").message, "not found");
    EXPECT_EQ(read(R"({"error": {"code": 502, "message": "m", "metadata": {"raw": "behind"}}})").message,
              "m (behind)");
    for (const char* text : {"{}", "[]", "3", "null", R"({"error": null})", R"({"error": 5})"})
        EXPECT_FALSE(read_api_error(json::parse(text))) << text;
}

TEST(ApiErrors, AWaitMayStandInTheBody) {
    const ApiError error = read(R"({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "m",
        "details": [{"violations": [{"quotaId": "RequestsPerMinute"}]}, {"retryDelay": "34.5s"}]}})");
    EXPECT_EQ(error.retry_after, std::chrono::milliseconds(34'500));
    EXPECT_FALSE(error.quota_spent);
    EXPECT_EQ(trouble_of(429, error, ""), Trouble::busy);
}

TEST(ApiErrors, ASpentQuotaIsToldFromABusyServer) {
    for (
        const char* text :
        {R"({"error": {"message": "m", "type": "insufficient_quota", "code": "insufficient_quota"}})",
         R"({"error": {"type": "rate_limit_error", "message": "m", "details": {"error_code": "enforced_spend_limit_reached"}}})",
         R"({"error": {"status": "RESOURCE_EXHAUSTED", "message": "m", "details": [{"violations": [{"quotaId": "PerDay"}]}]}})",
         R"({"error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."}})"})
        EXPECT_EQ(trouble_of(429, read(text), ""), Trouble::quota_spent) << text;
    EXPECT_EQ(
        trouble_of(429, read(R"({"error": {"message": "slow down", "code": "rate_limit_exceeded"}})"), ""),
        Trouble::busy);
    EXPECT_EQ(trouble_of(402, {}, ""), Trouble::quota_spent);
}

TEST(ApiErrors, TheStatusAndTheServersWordDecide) {
    const std::pair<int, Trouble> expected[] = {
        {400, Trouble::rejected},    {401, Trouble::bad_key},   {403, Trouble::bad_key},
        {404, Trouble::unknown_llm}, {408, Trouble::transient}, {409, Trouble::transient},
        {413, Trouble::rejected},    {422, Trouble::rejected},  {429, Trouble::busy},
        {500, Trouble::transient},   {502, Trouble::transient}, {503, Trouble::busy},
        {504, Trouble::transient},   {529, Trouble::busy}};
    for (const auto& [status, trouble] : expected) EXPECT_EQ(trouble_of(status, {}, ""), trouble) << status;
    EXPECT_EQ(trouble_of(500, {}, "false"), Trouble::rejected);
    EXPECT_EQ(trouble_of(400, {}, "true"), Trouble::transient);
    EXPECT_EQ(trouble_of(401, {}, "true"), Trouble::bad_key) << "a bad key stays bad";
}

TEST(ApiErrors, InsideAStreamTheTypeDecides) {
    EXPECT_EQ(trouble_of(0, {.type = "overloaded_error"}, ""), Trouble::busy);
    EXPECT_EQ(trouble_of(0, {.type = "api_error"}, ""), Trouble::transient);
    EXPECT_EQ(trouble_of(0, {.code = "502"}, ""), Trouble::transient);
    EXPECT_EQ(trouble_of(0, {.type = "invalid_request_error"}, ""), Trouble::rejected);
    EXPECT_EQ(trouble_of(0, {.type = "authentication_error"}, ""), Trouble::bad_key);
}

TEST(ApiErrors, NameAParameterOutrightOrInTheirWords) {
    const std::vector<Dialect::Optional> sent = {{"temperature", {"temperature"}},
                                                 {"effort", {"reasoning_effort"}}};
    EXPECT_EQ(named_parameter({.parameter = "reasoning_effort", .message = "temperature is fine"}, sent),
              "effort");
    EXPECT_EQ(named_parameter({.message = "`temperature` is deprecated"}, sent), "temperature");
    EXPECT_EQ(named_parameter({.message = "the temperatures are high"}, sent), std::nullopt);
    EXPECT_EQ(named_parameter({.message = "top_p: not allowed"}, sent), std::nullopt);
}

}  // namespace
}  // namespace kforge
