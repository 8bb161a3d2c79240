// LimitState: what is known of the limits that one server sets one key, who waits for a turn, and what was
// sent in the last minute. Plain data, so that processes can share it as the bytes of a file; pure functions
// of it and of a moment, which is the steady clock's and the same for all processes of a machine.
#pragma once

#include <array>
#include <cstdint>

#include "kforge/llm/rate_limits.hpp"

namespace kforge {

using Moment = std::int64_t;  // nanoseconds of the steady clock
Moment moment_of(Clock::time_point time);

// Limits that the user knows; 0: not known. They hold for every stretch of a minute.
struct Pace {
    long requests_per_minute = 0;
    long tokens_per_minute = 0;
};

// What a request weighs.
struct Load {
    long tokens = 0;       // about what is sent
    long most_tokens = 0;  // with the longest answer
};

// A request that was let in.
struct Grant {
    std::uint64_t number = 0;
    std::uint64_t tokens_so_far = 0;  // sent by all, this one included
    std::int64_t second = 0;
    long reserved = 0;
};

struct LimitState {
    struct Window {
        std::int64_t known = 0;      // 0: nothing of this kind was ever told
        std::int64_t guessed = 0;    // the reset has passed and nobody has said yet what holds now
        std::int64_t limit = 0;      // 0: not told
        std::int64_t remaining = 0;  // less what was sent since
        Moment reset = 0;
    };
    struct Bin {  // one second of the last minute
        std::int64_t second = 0;
        std::int64_t requests = 0;
        std::int64_t tokens = 0;
    };
    struct Place {  // in the queue
        std::uint64_t who = 0;
        std::uint64_t ticket = 0;
        Moment seen = 0;  // when it last said that it waits
    };

    std::int64_t met = 0;  // the server has answered somebody
    Moment not_before = 0;
    Moment last_start = 0;
    Moment gap = 0;  // between two starts, after it was too much
    std::uint64_t grants = 0;
    std::uint64_t granted_tokens = 0;
    std::uint64_t heard_up_to = 0;  // the last grant that an answer was heard of
    std::uint64_t heard_tokens = 0;
    std::uint64_t last_cut = 0;  // grants up to this one knew the old gap
    std::uint64_t next_ticket = 1;
    Window requests;
    Window tokens;
    std::array<Bin, 64> bins{};
    std::array<Place, 64> queue{};

    // Drops what cannot be true, such as a pause of hours.
    void mend(Moment now);
    // When a request may start as far as the limits go; `now` or earlier: at once.
    Moment next_start(Moment now, const Load& load, const Pace& pace);
    Grant grant(Moment now, const Load& load);

    void heard(const Grant& grant, const RateLimits& limits, bool taken, Moment now);
    void too_much(const Grant& grant, Moment until);
    void used(const Grant& grant, long tokens);  // what its tokens really were

    // First come, first served. Somebody who has not been seen for a second has gone, or was killed.
    bool is_first(std::uint64_t who, Moment now) const;
    void stay(std::uint64_t who, Moment now);  // takes a place, or keeps it
    void leave(std::uint64_t who);

  private:
    void refresh(Window& window, Moment now, std::uint64_t sent, std::uint64_t heard) const;
    static void hear(Window& window, const RateLimit& limit, std::int64_t sent_since, Moment now);
    Moment pace_start(Moment now, const Load& load, const Pace& pace) const;
};

}  // namespace kforge
