#include "kforge/llm/limiter.hpp"

#include <gtest/gtest.h>

#include "kforge/util/interrupt.hpp"
#include "kforge/util/process.hpp"

namespace kforge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const auto k_wall = std::chrono::system_clock::from_time_t(1794736800);  // 2026-11-15T10:00:00Z

TEST(RateLimits, AreReadInBothForms) {
    HttpResponse response;
    const Clock::time_point now = Clock::now();
    EXPECT_FALSE(read_rate_limits(response, now, k_wall).requests);
    response.headers = {{"x-ratelimit-remaining-requests", "59"},
                        {"x-ratelimit-reset-requests", "6m0s"},
                        {"x-ratelimit-remaining-tokens", "many"},
                        {"x-ratelimit-reset-tokens", "1s"}};
    RateLimits limits = read_rate_limits(response, now, k_wall);
    ASSERT_TRUE(limits.requests);
    EXPECT_EQ(limits.requests->remaining, 59);
    EXPECT_EQ(limits.requests->reset - now, seconds(360));
    EXPECT_EQ(limits.requests->limit, 0) << "not told";
    EXPECT_FALSE(limits.tokens) << "no number";
    response.headers = {{"anthropic-ratelimit-input-tokens-remaining", "5000"},
                        {"anthropic-ratelimit-input-tokens-reset", "2026-11-15T10:00:09Z"},
                        {"anthropic-ratelimit-output-tokens-limit", "8000"},
                        {"anthropic-ratelimit-output-tokens-remaining", "800"},
                        {"anthropic-ratelimit-output-tokens-reset", "2026-11-15T10:00:30Z"}};
    limits = read_rate_limits(response, now, k_wall);
    ASSERT_TRUE(limits.tokens);
    EXPECT_EQ(limits.tokens->remaining, 800) << "the scarcest";
    EXPECT_EQ(limits.tokens->limit, 8000);
    EXPECT_EQ(limits.tokens->reset - now, seconds(30));
}

class LimiterTest : public ::testing::Test {
  protected:
    Result<Limiter::Turn> enter(Limiter& limiter, std::chrono::nanoseconds patience, long tokens = 1) {
        return limiter.enter({tokens, tokens}, {}, Clock::now() + patience);
    }
    // A first call, and what the server says of its limits.
    void hear(Limiter& limiter, const RateLimits& limits) {
        Result<Limiter::Turn> turn = enter(limiter, seconds(30));
        ASSERT_TRUE(turn.ok());
        limiter.heard(*turn, limits, true);
    }
    fs::path file() const { return m_folder.path() / "x"; }
    TemporaryDirectory m_folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-limits-").value();
};

TEST_F(LimiterTest, LetsEveryoneInUntilItKnowsBetter) {
    Limiter limiter;
    hear(limiter, {});
    std::vector<Limiter::Turn> turns;
    for (int i = 0; i < 100; ++i) {
        Result<Limiter::Turn> turn = enter(limiter, seconds(5), 1000);
        ASSERT_TRUE(turn.ok());
        turns.push_back(std::move(*turn));
    }
}

TEST_F(LimiterTest, WaitsForAResetAndNoLonger) {
    Limiter limiter;
    const Clock::time_point start = Clock::now();
    hear(limiter, {RateLimit{0, 0, start + milliseconds(120)}, std::nullopt});
    ASSERT_TRUE(enter(limiter, seconds(30)).ok());
    EXPECT_GE(Clock::now() - start, milliseconds(120));
    const Clock::time_point again = Clock::now();
    hear(limiter, {RateLimit{1000, 1000, again + seconds(60)}, RateLimit{10, 0, again + milliseconds(120)}});
    ASSERT_TRUE(enter(limiter, seconds(30), 1'000'000).ok());
    EXPECT_GE(Clock::now() - again, milliseconds(120));
}

TEST_F(LimiterTest, GivesUpAtOnceWhenTheDeadlineComesFirst) {
    Limiter limiter;
    hear(limiter, {RateLimit{0, 10, Clock::now() + seconds(3600)}, std::nullopt});
    const Clock::time_point start = Clock::now();
    const Result<Limiter::Turn> turn = enter(limiter, seconds(60));
    ASSERT_FALSE(turn.ok());
    EXPECT_EQ(turn.error().kind, ErrorKind::timeout);
    EXPECT_LT(Clock::now() - start, seconds(30));
}

TEST_F(LimiterTest, FewerAtATimeAfterItWasTooMuch) {
    Limiter limiter;
    hear(limiter, {});
    std::vector<Limiter::Turn> turns;
    for (int i = 0; i < 8; ++i) turns.push_back(enter(limiter, seconds(5)).value());
    // Eight were under way together: the window halves once, not eight times.
    for (const Limiter::Turn& turn : turns) limiter.too_much(turn, Clock::now());
    turns.clear();
    for (int i = 0; i < 4; ++i) turns.push_back(enter(limiter, seconds(5)).value());
    EXPECT_FALSE(enter(limiter, milliseconds(50)).ok()) << "a fifth must wait";
    turns.clear();
    EXPECT_TRUE(enter(limiter, seconds(5)).ok());
}

TEST_F(LimiterTest, AnInterruptEndsTheWait) {
    Limiter limiter;
    hear(limiter, {RateLimit{0, 0, Clock::now() + seconds(50)}, std::nullopt});
    set_interrupted_for_test(true);
    const Result<Limiter::Turn> turn = enter(limiter, seconds(100));
    set_interrupted_for_test(false);
    ASSERT_FALSE(turn.ok());
    EXPECT_EQ(turn.error().kind, ErrorKind::cancelled);
}

TEST_F(LimiterTest, WhatOneProcessLearnsAndSendsTheOthersKnow) {
    Limiter here(file()), elsewhere(file());
    hear(here, {RateLimit{2, 3, Clock::now() + seconds(3600)}, std::nullopt});
    EXPECT_FALSE(enter(elsewhere, seconds(60)).ok()) << "they are spread over the hour";
    Limiter third(file());
    third.too_much(Limiter::Turn(), Clock::now() + milliseconds(300));
    const Clock::time_point start = Clock::now();
    Limiter private_one;
    ASSERT_TRUE(enter(private_one, seconds(5)).ok());
    EXPECT_LT(Clock::now() - start, milliseconds(295)) << "nothing is shared without a file";
}

TEST_F(LimiterTest, APauseHoldsBackTheCallsOfAnotherProcess) {
    Limiter here(file()), elsewhere(file());
    hear(here, {});
    const Clock::time_point start = Clock::now();
    here.too_much(enter(here, seconds(5)).value(), start + milliseconds(300));
    ASSERT_TRUE(enter(elsewhere, seconds(30)).ok());
    EXPECT_GE(Clock::now() - start, milliseconds(295));
}

TEST_F(LimiterTest, ADamagedFileIsAsGoodAsNone) {
    Limiter limiter(file());
    hear(limiter, {RateLimit{0, 10, Clock::now() + seconds(3600)}, std::nullopt});
    const std::string good = read_file(file()).value();
    for (const std::string& damage : {std::string("\xff nonsense"), std::string(4096, '\xff'), good + good,
                                      good.substr(0, good.size() / 2), std::string()}) {
        ASSERT_TRUE(write_file_durable(file(), damage).ok());
        EXPECT_EQ(enter(limiter, seconds(5)).ok(), damage != good + good)
            << "what is behind the state is ignored";
    }
    std::string flipped = good;
    flipped[200] = static_cast<char>(flipped[200] ^ 0x40);
    ASSERT_TRUE(write_file_durable(file(), flipped).ok());
    EXPECT_TRUE(enter(limiter, seconds(5)).ok());
}

TEST_F(LimiterTest, OneThatCannotWriteGoesOnAlone) {
    Limiter limiter("/proc/no/such/place");
    hear(limiter, {});
    EXPECT_TRUE(enter(limiter, seconds(5)).ok());
}

TEST_F(LimiterTest, TheFileTellsServersAndKeysApartAndHoldsNeither) {
    const fs::path one = LimitFile::path_for("https://a.example\nllm", 1);
    if (one.empty()) GTEST_SKIP() << "no cache folder here";
    EXPECT_EQ(one, LimitFile::path_for("https://a.example\nllm", 1));
    EXPECT_NE(one, LimitFile::path_for("https://b.example\nllm", 1));
    EXPECT_NE(one, LimitFile::path_for("https://a.example\nllm", 2));
    EXPECT_EQ(one.filename().string().find("example"), std::string::npos);
}

}  // namespace
}  // namespace kforge
