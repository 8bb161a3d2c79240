#include "kforge/llm/limit_state.hpp"

#include <algorithm>
#include <vector>

namespace kforge {
namespace {

constexpr Moment k_ms = 1'000'000;
constexpr Moment k_s = 1000 * k_ms;
constexpr Moment k_longest_pause = 3600 * k_s;  // a longer one suspends a run anyway
constexpr Moment k_longest_window = 25 * 3600 * k_s;
constexpr Moment k_usual_window = 60 * k_s;
constexpr Moment k_first_word = 1 * k_s;  // how long the others wait for the first answer's headers
constexpr Moment k_forgotten = 1 * k_s;   // without a sign of life a place in the queue is free
constexpr std::int64_t k_few_requests =
    10;  // left until the reset: from here on they are spread over the time
constexpr Moment k_least_gap = 25 * k_ms;
constexpr Moment k_largest_gap = 2 * k_s;
constexpr Moment k_no_gap = 5 * k_ms;
// Whole seconds that count as the last minute: one more, because the first and the last are cut.
constexpr std::int64_t k_minute_bins = 61;

}  // namespace

Moment moment_of(Clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

void LimitState::mend(Moment now) {
    if (not_before > now + k_longest_pause) not_before = 0;
    if (last_start > now) last_start = now;
    gap = std::clamp<Moment>(gap, 0, k_largest_gap);
    for (Window* window : {&requests, &tokens})
        if (window->reset > now + k_longest_window || window->limit < 0) *window = {};
    for (Bin& bin : bins)
        if (bin.second > now / k_s || bin.requests < 0 || bin.tokens < 0) bin = {};
    for (Place& place : queue)
        if (place.seen > now || place.ticket >= next_ticket) place = {};
}

// A window that is over: what holds now is not told before the next answer. Where the limit is known, it is
// whole again, less what is under way and may count in the new window; else one request may find out.
void LimitState::refresh(Window& window, Moment now, std::uint64_t sent, std::uint64_t heard) const {
    if (window.known == 0 || now < window.reset) return;
    // After a while without a start nothing is on its way; what was never heard of was killed.
    const std::uint64_t unheard = now - last_start < k_usual_window ? sent - std::min(sent, heard) : 0;
    window.guessed = 1;
    window.remaining = std::max<std::int64_t>(1, window.limit - static_cast<std::int64_t>(unheard));
    window.reset = now + (window.limit > 0 ? k_usual_window : k_first_word);
}

Moment LimitState::next_start(Moment now, const Load& load, const Pace& pace) {
    refresh(requests, now, grants, heard_up_to);
    if (tokens.limit == 0 && now >= tokens.reset) tokens = {};
    refresh(tokens, now, granted_tokens, heard_tokens);
    Moment start = std::max(not_before, gap > 0 ? last_start + gap : 0);
    // A server that nobody knows yet is asked once before it is asked by all.
    if (met == 0 && grants > 0) start = std::max(start, last_start + k_first_word);
    if (requests.known != 0) {
        if (requests.remaining <= 0)
            start = std::max(start, requests.reset);
        else if (requests.remaining < k_few_requests && requests.guessed == 0)
            start = std::max(start, last_start + (requests.reset - now) / (requests.remaining + 1));
    }
    // A request larger than the whole limit must go some time: it waits for the reset and no longer.
    if (tokens.known != 0) {
        const bool whole = tokens.guessed != 0 && tokens.remaining >= tokens.limit;
        if (tokens.remaining < load.tokens && !whole) start = std::max(start, tokens.reset);
    }
    return std::max(start, pace_start(now, load, pace));
}

// The moment from which on the last minute has room, as its oldest seconds fall out of it.
Moment LimitState::pace_start(Moment now, const Load& load, const Pace& pace) const {
    if (pace.requests_per_minute <= 0 && pace.tokens_per_minute <= 0) return 0;
    std::vector<Bin> minute;
    std::int64_t sent = 0;
    std::int64_t weight = 0;
    for (const Bin& bin : bins)
        if (bin.second > now / k_s - k_minute_bins && bin.requests > 0) {
            minute.push_back(bin);
            sent += bin.requests;
            weight += bin.tokens;
        }
    std::sort(minute.begin(), minute.end(), [](const Bin& a, const Bin& b) { return a.second < b.second; });
    Moment start = 0;
    for (const Bin& oldest : minute) {
        const bool requests_fit = pace.requests_per_minute <= 0 || sent + 1 <= pace.requests_per_minute;
        const bool tokens_fit =
            pace.tokens_per_minute <= 0 || weight == 0 || weight + load.most_tokens <= pace.tokens_per_minute;
        if (requests_fit && tokens_fit) break;
        sent -= oldest.requests;
        weight -= oldest.tokens;
        start = (oldest.second + k_minute_bins) * k_s;
    }
    return start;
}

Grant LimitState::grant(Moment now, const Load& load) {
    last_start = now;
    ++grants;
    granted_tokens += static_cast<std::uint64_t>(load.tokens);
    if (requests.known != 0) --requests.remaining;
    if (tokens.known != 0) tokens.remaining -= load.tokens;
    Bin& bin = bins[static_cast<size_t>(now / k_s) % bins.size()];
    if (bin.second != now / k_s) bin = {now / k_s, 0, 0};
    ++bin.requests;
    bin.tokens += load.most_tokens;
    return {grants, granted_tokens, bin.second, load.most_tokens};
}

// What was sent after the request that the server speaks of is not in its number yet. Within one window the
// smaller count is right: requests overtake each other on their way, and so do answers.
void LimitState::hear(Window& window, const RateLimit& limit, std::int64_t sent_since, Moment now) {
    const std::int64_t left = limit.remaining - sent_since;
    const Moment reset = moment_of(limit.reset);
    if (window.known == 0 || now >= window.reset) {
        window = {1, 0, limit.limit, left, reset};
        return;
    }
    // What was guessed without a limit is no count at all.
    const bool counted = window.guessed == 0 || window.limit > 0;
    window.limit = limit.limit;
    window.remaining = counted ? std::min(window.remaining, left) : left;
    if (window.guessed != 0 || limit.remaining <= 0) window.reset = reset;
    window.guessed = 0;
}

void LimitState::heard(const Grant& grant, const RateLimits& limits, bool taken, Moment now) {
    met = 1;
    heard_up_to = std::max(heard_up_to, std::min(grant.number, grants));
    heard_tokens = std::max(heard_tokens, std::min(grant.tokens_so_far, granted_tokens));
    if (limits.requests)
        hear(requests, *limits.requests, static_cast<std::int64_t>(grants - std::min(grants, grant.number)),
             now);
    if (limits.tokens)
        hear(tokens, *limits.tokens,
             static_cast<std::int64_t>(granted_tokens - std::min(granted_tokens, grant.tokens_so_far)), now);
    if (taken) gap = gap * 9 / 10 < k_no_gap ? 0 : gap * 9 / 10;
}

void LimitState::too_much(const Grant& grant, Moment until) {
    not_before = std::max(not_before, until);
    // Many requests that were under way together are one piece of news, not many.
    if (grant.number <= last_cut) return;
    gap = std::clamp(2 * gap, k_least_gap, k_largest_gap);
    last_cut = grants;
}

void LimitState::used(const Grant& grant, long tokens_used) {
    Bin& bin = bins[static_cast<size_t>(grant.second) % bins.size()];
    if (bin.second == grant.second)
        bin.tokens = std::max<std::int64_t>(0, bin.tokens + tokens_used - grant.reserved);
}

bool LimitState::is_first(std::uint64_t who, Moment now) const {
    std::uint64_t mine = next_ticket;  // without a place: behind all that have one
    for (const Place& place : queue)
        if (place.who == who && place.ticket != 0) mine = place.ticket;
    return std::none_of(queue.begin(), queue.end(), [&](const Place& place) {
        return place.ticket != 0 && place.ticket < mine && place.seen > now - k_forgotten;
    });
}

// With all places taken by the living one waits without: it is served when the queue is empty.
void LimitState::stay(std::uint64_t who, Moment now) {
    Place* free = nullptr;
    for (Place& place : queue) {
        if (place.ticket != 0 && place.who == who) {
            place.seen = now;
            return;
        }
        if (place.ticket == 0 || place.seen <= now - k_forgotten) free = &place;
    }
    if (free != nullptr) *free = {who, next_ticket++, now};
}

void LimitState::leave(std::uint64_t who) {
    for (Place& place : queue)
        if (place.who == who) place = {};
}

}  // namespace kforge
