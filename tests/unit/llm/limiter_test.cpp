#include "kforge/llm/limiter.hpp"

#include <gtest/gtest.h>

#include "kforge/util/interrupt.hpp"

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
    EXPECT_FALSE(limits.tokens) << "no number";
    response.headers = {{"anthropic-ratelimit-input-tokens-remaining", "5000"},
                        {"anthropic-ratelimit-input-tokens-reset", "2026-11-15T10:00:09Z"},
                        {"anthropic-ratelimit-output-tokens-remaining", "800"},
                        {"anthropic-ratelimit-output-tokens-reset", "2026-11-15T10:00:30Z"}};
    limits = read_rate_limits(response, now, k_wall);
    ASSERT_TRUE(limits.tokens);
    EXPECT_EQ(limits.tokens->remaining, 800) << "the scarcest";
    EXPECT_EQ(limits.tokens->reset - now, seconds(30));
}

TEST(Limiter, LetsEveryoneInUntilItKnowsBetter) {
    Limiter limiter;
    std::vector<Limiter::Turn> turns;
    for (int i = 0; i < 100; ++i) {
        Result<Limiter::Turn> turn = limiter.enter(1000, Clock::now() + seconds(5));
        ASSERT_TRUE(turn.ok());
        turns.push_back(std::move(*turn));
    }
}

TEST(Limiter, WaitsForAResetAndNoLonger) {
    Limiter limiter;
    const Clock::time_point start = Clock::now();
    limiter.heard({RateLimit{0, start + milliseconds(120)}, std::nullopt}, true);
    ASSERT_TRUE(limiter.enter(1, start + seconds(30)).ok());
    EXPECT_GE(Clock::now() - start, milliseconds(120));
    const Clock::time_point again = Clock::now();
    limiter.heard({std::nullopt, RateLimit{10, again + milliseconds(120)}}, true);
    ASSERT_TRUE(limiter.enter(5, again + seconds(30)).ok()) << "there are tokens enough";
    EXPECT_LT(Clock::now() - again, seconds(20));
    ASSERT_TRUE(limiter.enter(1'000'000, again + seconds(30)).ok());
    EXPECT_GE(Clock::now() - again, milliseconds(120));
}

TEST(Limiter, GivesUpAtOnceWhenTheDeadlineComesFirst) {
    Limiter limiter;
    limiter.heard({RateLimit{0, Clock::now() + seconds(3600)}, std::nullopt}, true);
    const Clock::time_point start = Clock::now();
    const Result<Limiter::Turn> turn = limiter.enter(1, start + seconds(60));
    ASSERT_FALSE(turn.ok());
    EXPECT_EQ(turn.error().kind, ErrorKind::timeout);
    EXPECT_LT(Clock::now() - start, seconds(30));
}

TEST(Limiter, FewerAtATimeAfterItWasTooMuch) {
    Limiter limiter;
    std::vector<Limiter::Turn> turns;
    for (int i = 0; i < 8; ++i) turns.push_back(limiter.enter(1, Clock::now() + seconds(5)).value());
    // Eight were under way together: the window halves once, not eight times.
    for (const Limiter::Turn& turn : turns) limiter.too_much(turn, Clock::now());
    turns.clear();
    for (int i = 0; i < 4; ++i) turns.push_back(limiter.enter(1, Clock::now() + seconds(5)).value());
    EXPECT_FALSE(limiter.enter(1, Clock::now() + milliseconds(50)).ok()) << "a fifth must wait";
    turns.clear();
    EXPECT_TRUE(limiter.enter(1, Clock::now() + seconds(5)).ok());
}

TEST(Limiter, AnInterruptEndsTheWait) {
    Limiter limiter;
    limiter.heard({RateLimit{0, Clock::now() + seconds(50)}, std::nullopt}, true);
    set_interrupted_for_test(true);
    const Result<Limiter::Turn> turn = limiter.enter(1, Clock::now() + seconds(100));
    set_interrupted_for_test(false);
    ASSERT_FALSE(turn.ok());
    EXPECT_EQ(turn.error().kind, ErrorKind::cancelled);
}

TEST(SharedPause, IsSeenByEveryoneWithTheSameFileAndNeverShortened) {
    const TemporaryDirectory folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-pause-").value();
    const fs::path file = folder.path() / "pauses" / "x";
    const SharedPause mine(file), theirs(file), nobodys;
    EXPECT_FALSE(mine.until(k_wall));
    mine.extend(k_wall + seconds(60));
    theirs.extend(k_wall + seconds(30));
    nobodys.extend(k_wall + seconds(300));
    EXPECT_EQ(theirs.until(k_wall), k_wall + seconds(60));
    EXPECT_FALSE(theirs.until(k_wall + seconds(60))) << "it is over";
    EXPECT_FALSE(nobodys.until(k_wall));
    mine.extend(k_wall + seconds(36'000));
    EXPECT_FALSE(theirs.until(k_wall)) << "too long to be true";
    ASSERT_TRUE(write_file_durable(file, "\xff nonsense").ok());
    EXPECT_FALSE(theirs.until(k_wall));
}

TEST(SharedPause, HoldsBackTheCallsOfAnotherLimiter) {
    const TemporaryDirectory folder =
        TemporaryDirectory::create(fs::temp_directory_path(), "kforge-pause-").value();
    Limiter here(SharedPause(folder.path() / "x")), elsewhere(SharedPause(folder.path() / "x"));
    const Clock::time_point start = Clock::now();
    here.too_much(here.enter(1, start + seconds(5)).value(), start + milliseconds(300));
    ASSERT_TRUE(elsewhere.enter(1, start + seconds(30)).ok());
    EXPECT_GE(Clock::now() - start, milliseconds(295));
}

}  // namespace
}  // namespace kforge
