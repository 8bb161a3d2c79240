#include "kforge/net/retry.hpp"

#include <gtest/gtest.h>

namespace kforge {
namespace {

using std::chrono::system_clock;

// Sun, 15 Nov 2026 10:00:00 GMT
const system_clock::time_point k_now = system_clock::from_time_t(1794736800);

TEST(RetryAfter, PrefersMilliseconds) {
    EXPECT_EQ(retry_after("250", "60", k_now), Milliseconds(250));
    EXPECT_EQ(retry_after("what", "60", k_now), Milliseconds(60'000));
}

TEST(RetryAfter, ReadsSecondsWithAFraction) {
    EXPECT_EQ(retry_after("", "0", k_now), Milliseconds(0));
    EXPECT_EQ(retry_after("", " 1.5 ", k_now), Milliseconds(1500));
}

TEST(RetryAfter, ReadsADate) {
    EXPECT_EQ(retry_after("", "Sun, 15 Nov 2026 10:00:30 GMT", k_now), Milliseconds(30'000));
    EXPECT_EQ(retry_after("", "Sun, 15 Nov 2026 09:00:00 GMT", k_now), Milliseconds(0)) << "the past is now";
}

TEST(RetryAfter, ReadsTheOldFormsOfADate) {
    EXPECT_EQ(retry_after("", "Sunday, 15-Nov-26 10:00:30 GMT", k_now), Milliseconds(30'000));
    EXPECT_EQ(retry_after("", "Sun Nov 15 10:00:30 2026", k_now), Milliseconds(30'000));
    EXPECT_EQ(retry_after("", "Sun Nov  1 10:00:30 2026", k_now), Milliseconds(0));
}

TEST(RetryAfter, NonsenseIsNoAdvice) {
    for (const char* text : {"", "Sun, 15 Nov 2026 10:00:30 GMT and a bit", "15 Nov", "soon", "-5", "1e300",
                             "1.2.3", "99999999999", "0x10", "nan"})
        EXPECT_EQ(retry_after("", text, k_now), std::nullopt) << text;
}

TEST(Duration, ReadsWhatServersWrite) {
    EXPECT_EQ(parse_duration("12ms"), Milliseconds(12));
    EXPECT_EQ(parse_duration("6m0s"), Milliseconds(360'000));
    EXPECT_EQ(parse_duration("1h2m3.5s"), Milliseconds(3'723'500));
    EXPECT_EQ(parse_duration("34s"), Milliseconds(34'000));
    EXPECT_EQ(parse_duration("5"), Milliseconds(5000));
    for (const char* text : {"", "s", "5x", "m5", "1 m", "2026-11-15T10:00:00Z"})
        EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Backoff, DoublesUpToItsCapLessAQuarterAtMost) {
    EXPECT_EQ(backoff(0, 0, Milliseconds(8000)), Milliseconds(500));
    EXPECT_EQ(backoff(3, 0, Milliseconds(8000)), Milliseconds(4000));
    EXPECT_EQ(backoff(40, 0, Milliseconds(8000)), Milliseconds(8000));
    EXPECT_GE(backoff(2, 0.999, Milliseconds(8000)), Milliseconds(1500));
    EXPECT_LT(backoff(2, 0.999, Milliseconds(8000)), Milliseconds(2000));
}

}  // namespace
}  // namespace kforge
